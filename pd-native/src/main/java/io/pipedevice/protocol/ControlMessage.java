// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.protocol;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/**
 * A message on the control connection between PD Lib and PD Driver ({@link ControlMessageDescriptor}), one per
 * SOCK_SEQPACKET record. A record of one byte is not a message but a ring of the doorbell: it announces posted
 * requests.
 *
 * <p>A flyweight over its own memory; used by one thread at a time. A received message holds any values that the other
 * process wrote: the caller checks every value.
 */
public final class ControlMessage {
    /** Length of a message, in bytes. */
    public static final int LENGTH = 256;

    /** First word of every message: "PDCT". */
    public static final int MAGIC = 0x5443_4450;

    /** Version of the protocol and of the shared layouts; both sides check it. */
    public static final int VERSION = 8;

    /** Length in bytes of the header that is the same in every version: magic, version, type and request id. */
    public static final int HEADER_LENGTH = 12;

    /** Largest number of sends per socket that are posted and not completed. */
    public static final int MAX_OUTSTANDING_SENDS = 1024;

    /**
     * Attach: value = depth of the request ring, socket id = number of socket slots, argument = size of the lib page,
     * whose descriptor comes along. Answer: value = cid, socket id = number of slots that the driver allows and its
     * page has, argument = size of the driver page; the descriptors of status page and driver page come along.
     */
    public static final int ATTACH = 1;

    /**
     * Observe. Answer: argument = size of the counters' memory, value = length of its metadata; its descriptor comes
     * along.
     */
    public static final int OBSERVE = 2;

    /** pd_socket. Answer: socket id. */
    public static final int SOCKET = 3;

    /** pd_bind: socket id, local address. Answer: the local address, with its port. */
    public static final int BIND = 4;

    /**
     * pd_listen: socket id, value = backlog, receive ring size and ring start = those of accepted sockets.
     */
    public static final int LISTEN = 5;

    /**
     * pd_connect: socket id, peer address, argument = 0 or the number that CONNECTED was answered with, send ring
     * (region, size, offset), receive ring size wanted, ring start. Answer: both addresses and the receive ring, of
     * which ring start is in use; the descriptor of its region comes along if the process does not know it yet.
     */
    public static final int CONNECT = 6;

    /**
     * pd_accept: socket id of the listener, send ring for the new socket, ring start. Answer: the new socket's id, both
     * addresses and the receive ring as for connect, value = request id of ACCEPTED of the connection that it replaces,
     * or 0; EAGAIN if the backlog is empty.
     */
    public static final int ACCEPT = 7;

    /** A new region for send rings: value = its number, argument = its size; its descriptor comes along. */
    public static final int ADD_REGION = 8;

    /** A region that no longer holds a ring: value = its number. */
    public static final int REMOVE_REGION = 9;

    /** A doorbell. Answer: value = its number; the process's end of a socket pair comes along. */
    public static final int ADD_DOORBELL = 10;

    /** From the driver, without a request, before it closes the connection: status and text have the reason. */
    public static final int GOODBYE = 11;

    /**
     * Takes part in introductions: the driver finds out which two processes have the ends of one connection of the
     * kernel's. First message of a control connection that does not attach. Answer: value = {@link #FIXED} if the
     * driver's rulings do not change as long as the control connection stands, and all that it permits is direct: two
     * processes that it has introduced need not ask it again. Value = 0 if they must. Argument = size of the driver's
     * memory for permits ({@link PermitPageDescriptor}), whose descriptor comes along.
     */
    public static final int JOIN = 12;

    /** The value in the answer to {@link #JOIN} of a driver whose rulings do not change. */
    public static final int FIXED = 1;

    /**
     * A listener: socket id = its number, which the process chooses, value = 1; local address, one message for each. A
     * socket of sock_diag(7) comes along with the first message. With value = 0 the listener is closed. No answer.
     */
    public static final int LISTENS = 13;

    /**
     * Sent before a connection's SYN: request id = number of the intent, value = local port. No answer.
     */
    public static final int INTEND = 14;

    /**
     * The connection of an intent stands: request id = that of INTEND, local address = its own, as the client says,
     * argument = slot of the permit to read its socket, which comes along. Answer, when the server has accepted: value
     * and argument = process number and start time of the server, socket id = its listener. Value = 0: data go through
     * the device, argument = number for CONNECT. Or a status: the connection stays on the kernel.
     */
    public static final int CONNECTED = 15;

    /**
     * A connection was accepted: socket id = number of the listener, value = the client's port, argument = slot of the
     * permit to read its socket, which comes along.
     * Answer: value and argument = process number and start time of the client, peer address = the client's own. Value
     * = 0: data go through the device, the connection will wait where OFFERS says. Or a status: the connection stays on
     * the kernel.
     */
    public static final int ACCEPTED = 16;

    /** An intent is given up: request id = that of INTEND. CONNECTED is answered at once; no other answer. */
    public static final int WITHDRAW = 17;

    /**
     * A link with the process that CONNECTED named: value, argument and socket id as there. Answer: a connected socket
     * comes along.
     */
    public static final int LINK = 18;

    /**
     * From the driver, without a request: the other end of a link. Value and argument = process number and start time
     * of the client, socket id = number of the listener; a connected socket comes along.
     */
    public static final int NEWCOMER = 19;

    /**
     * From the driver, without a request: the client of an accepted connection stays on the kernel, although it was
     * introduced. Request id = that of ACCEPTED.
     */
    public static final int RELEASED = 20;

    /**
     * Where connections through the device are accepted: socket id = number of a listener, value = cid of an attachment
     * of the same process, argument = id of a listening socket there. No answer.
     */
    public static final int OFFERS = 21;

    /**
     * The socket of a listener, by which clients of its network namespace find it: socket id = number of the listener,
     * value = number of the socket's descriptor, argument = the socket's inode. No answer.
     */
    public static final int SERVES = 22;

    /**
     * Which listener has a socket of this network namespace: argument = the socket's inode, local address = the
     * destination. Answer: value and argument = process number and start time of the server, socket id = its listener.
     * Value = 0: connections go through the device, by CONNECT. Or a status: there is no such listener, ENOENT, or the
     * connection stays on the kernel.
     */
    public static final int FIND = 23;

    /** A link with the process that FIND named: as LINK. */
    public static final int LINK_NEIGHBOUR = 24;

    /**
     * From the driver, without a request: the other end of a link with a client that has asked by FIND; as NEWCOMER.
     */
    public static final int NEIGHBOUR = 25;

    /**
     * A link of this process to another one that the driver has introduced: argument = inode number of the other side's
     * memory, value = 1 if no driver was shown the link before; the memory of this side comes along. No answer.
     */
    public static final int SHOWS = 26;

    /** A link that was shown has ended: argument = inode number of this side's memory. No answer. */
    public static final int HIDES = 27;

    /**
     * From the driver, without a request: a link that was shown is to be given up. Argument = inode number of this
     * side's memory, text = the reason.
     */
    public static final int CUT = 28;

    /**
     * To a participant, without a request and an answer: argument = the bytes per second that its direct connections
     * may send together, 0 for as many as they like. It holds until the next RATE, or until the process joins a driver
     * again.
     */
    public static final int RATE = 29;

    /**
     * An introduced client goes on by rings, directly: request id = that of INTEND. The driver may forget it. No
     * answer.
     */
    public static final int MADE = 30;

    /**
     * From the driver, without a request and an answer: an introduced client waits at a listener of this process, which
     * has not accepted its connection for a while.
     */
    public static final int CALLS = 31;

    /** Whether a connected socket wants urgent data in its stream: socket id, value = 1 if it does, 0 if not. */
    public static final int TAKE_URGENT = 32;

    /**
     * The memory of a participant's permits ({@link PermitPageDescriptor}): argument = its size; its descriptor comes
     * along. Once, before CONNECTED and ACCEPTED. No answer.
     */
    public static final int PERMITS = 33;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final MemorySegment memory;

    /** Creates a message in its own memory, which the garbage collector frees. */
    public ControlMessage() {
        this.memory = Arena.ofAuto().allocate(LENGTH, Long.BYTES);
    }

    /**
     * The message's bytes, to send or receive.
     *
     * @return {@link #LENGTH} bytes
     */
    public MemorySegment memory() {
        return memory;
    }

    /**
     * Begins a request: clears everything.
     *
     * @param type of the request
     * @param requestId that the answer repeats
     * @return this
     */
    public ControlMessage request(int type, int requestId) {
        memory.fill((byte) 0);
        memory.set(INT, 0, MAGIC);
        memory.set(SHORT, ControlMessageDescriptor.VERSION_OFFSET, (short) VERSION);
        memory.set(SHORT, ControlMessageDescriptor.TYPE_OFFSET, (short) type);
        memory.set(INT, ControlMessageDescriptor.REQUEST_ID_OFFSET, requestId);
        return this;
    }

    /**
     * Turns a request into its answer: keeps type and id, clears the rest.
     *
     * @return this
     */
    public ControlMessage answer() {
        return request(type(), requestId());
    }

    /**
     * Turns a request into the answer that reports its failure.
     *
     * @param errno a positive errno value
     * @param text the reason, for a person
     * @return this
     */
    public ControlMessage fail(int errno, String text) {
        answer();
        memory.set(INT, ControlMessageDescriptor.STATUS_OFFSET, errno);
        return text(text);
    }

    /**
     * Whether the first word is the magic of a message.
     *
     * @return false if something else was received
     */
    public boolean isMessage() {
        return memory.get(INT, 0) == MAGIC;
    }

    /**
     * The sender's protocol version.
     *
     * @return 0 to 65535
     */
    public int version() {
        return memory.get(SHORT, ControlMessageDescriptor.VERSION_OFFSET) & 0xFFFF;
    }

    /**
     * The text with which a driver refuses another version.
     *
     * @param version of the other side
     * @return both versions
     */
    public static String versionMismatch(int version) {
        return "protocol version " + version + ", the driver speaks " + VERSION;
    }

    /**
     * The type.
     *
     * @return 0 to 65535
     */
    public int type() {
        return memory.get(SHORT, ControlMessageDescriptor.TYPE_OFFSET) & 0xFFFF;
    }

    /**
     * The request id.
     *
     * @return any value
     */
    public int requestId() {
        return memory.get(INT, ControlMessageDescriptor.REQUEST_ID_OFFSET);
    }

    /**
     * The status of an answer.
     *
     * @return 0, or an errno value
     */
    public int status() {
        return memory.get(INT, ControlMessageDescriptor.STATUS_OFFSET);
    }

    /**
     * The socket id.
     *
     * @return any value
     */
    public int socketId() {
        return memory.get(INT, ControlMessageDescriptor.SOCKET_ID_OFFSET);
    }

    /**
     * Sets the socket id.
     *
     * @param socketId the id
     * @return this
     */
    public ControlMessage socketId(int socketId) {
        memory.set(INT, ControlMessageDescriptor.SOCKET_ID_OFFSET, socketId);
        return this;
    }

    /**
     * The value, whose meaning depends on the type.
     *
     * @return any value
     */
    public int value() {
        return memory.get(INT, ControlMessageDescriptor.VALUE_OFFSET);
    }

    /**
     * Sets the value.
     *
     * @param value depends on the type
     * @return this
     */
    public ControlMessage value(int value) {
        memory.set(INT, ControlMessageDescriptor.VALUE_OFFSET, value);
        return this;
    }

    /**
     * The argument, whose meaning depends on the type.
     *
     * @return any value
     */
    public long argument() {
        return memory.get(LONG, ControlMessageDescriptor.ARGUMENT_OFFSET);
    }

    /**
     * Sets the argument.
     *
     * @param argument depends on the type
     * @return this
     */
    public ControlMessage argument(long argument) {
        memory.set(LONG, ControlMessageDescriptor.ARGUMENT_OFFSET, argument);
        return this;
    }

    /**
     * Region of the send ring.
     *
     * @return any value
     */
    public int sendRegion() {
        return memory.get(INT, ControlMessageDescriptor.SEND_REGION_OFFSET);
    }

    /**
     * Size of the send ring.
     *
     * @return in bytes, any value
     */
    public int sendRingSize() {
        return memory.get(INT, ControlMessageDescriptor.SEND_RING_SIZE_OFFSET);
    }

    /**
     * Offset of the send ring in its region.
     *
     * @return in bytes, any value
     */
    public long sendRingOffset() {
        return memory.get(LONG, ControlMessageDescriptor.SEND_RING_OFFSET_OFFSET);
    }

    /**
     * Sets the send ring.
     *
     * @param region number
     * @param offset in bytes
     * @param size in bytes
     * @return this
     */
    public ControlMessage sendRing(int region, long offset, int size) {
        memory.set(INT, ControlMessageDescriptor.SEND_REGION_OFFSET, region);
        memory.set(INT, ControlMessageDescriptor.SEND_RING_SIZE_OFFSET, size);
        memory.set(LONG, ControlMessageDescriptor.SEND_RING_OFFSET_OFFSET, offset);
        return this;
    }

    /**
     * Region of the receive ring.
     *
     * @return any value
     */
    public int receiveRegion() {
        return memory.get(INT, ControlMessageDescriptor.RECEIVE_REGION_OFFSET);
    }

    /**
     * Size of the receive ring.
     *
     * @return in bytes, any value
     */
    public int receiveRingSize() {
        return memory.get(INT, ControlMessageDescriptor.RECEIVE_RING_SIZE_OFFSET);
    }

    /**
     * Sets the wanted size of the receive ring.
     *
     * @param size in bytes
     * @return this
     */
    public ControlMessage receiveRingSize(int size) {
        memory.set(INT, ControlMessageDescriptor.RECEIVE_RING_SIZE_OFFSET, size);
        return this;
    }

    /**
     * The most bytes of new rings, from their beginning, that are used at first.
     *
     * @return any value; 0 for all
     */
    public int ringStart() {
        return memory.get(INT, ControlMessageDescriptor.RING_START_OFFSET);
    }

    /**
     * Sets how much of new rings is used at first.
     *
     * @param bytes from their beginning, a power of two; 0 for all
     * @return this
     */
    public ControlMessage ringStart(int bytes) {
        memory.set(INT, ControlMessageDescriptor.RING_START_OFFSET, bytes);
        return this;
    }

    /**
     * Offset of the receive ring in its region.
     *
     * @return in bytes, any value
     */
    public long receiveRingOffset() {
        return memory.get(LONG, ControlMessageDescriptor.RECEIVE_RING_OFFSET_OFFSET);
    }

    /**
     * Size of the region that holds the receive ring.
     *
     * @return in bytes, any value
     */
    public long receiveRegionSize() {
        return memory.get(LONG, ControlMessageDescriptor.RECEIVE_REGION_SIZE_OFFSET);
    }

    /**
     * Sets the receive ring.
     *
     * @param region number
     * @param offset in bytes
     * @param size in bytes
     * @param regionSize in bytes
     * @return this
     */
    public ControlMessage receiveRing(int region, long offset, int size, long regionSize) {
        memory.set(INT, ControlMessageDescriptor.RECEIVE_REGION_OFFSET, region);
        memory.set(INT, ControlMessageDescriptor.RECEIVE_RING_SIZE_OFFSET, size);
        memory.set(LONG, ControlMessageDescriptor.RECEIVE_RING_OFFSET_OFFSET, offset);
        memory.set(LONG, ControlMessageDescriptor.RECEIVE_REGION_SIZE_OFFSET, regionSize);
        return this;
    }

    /**
     * The local address.
     *
     * @return an address, or null if there is none or its family is unknown
     */
    public InetSocketAddress localAddress() {
        return AddressField.get(memory, ControlMessageDescriptor.LOCAL_ADDRESS_OFFSET);
    }

    /**
     * Sets the local address.
     *
     * @param address resolved, or null for none
     * @return this
     */
    public ControlMessage localAddress(InetSocketAddress address) {
        AddressField.set(memory, ControlMessageDescriptor.LOCAL_ADDRESS_OFFSET, address);
        return this;
    }

    /**
     * The peer's address.
     *
     * @return an address, or null if there is none or its family is unknown
     */
    public InetSocketAddress peerAddress() {
        return AddressField.get(memory, ControlMessageDescriptor.PEER_ADDRESS_OFFSET);
    }

    /**
     * Sets the peer's address.
     *
     * @param address resolved, or null for none
     * @return this
     */
    public ControlMessage peerAddress(InetSocketAddress address) {
        AddressField.set(memory, ControlMessageDescriptor.PEER_ADDRESS_OFFSET, address);
        return this;
    }

    /**
     * The text for a person.
     *
     * @return control characters replaced, because it may end in a log
     */
    public String text() {
        int length = Math.min(
                memory.get(SHORT, ControlMessageDescriptor.TEXT_LENGTH_OFFSET) & 0xFFFF,
                ControlMessageDescriptor.MAX_TEXT);
        byte[] bytes = new byte[length];
        MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, ControlMessageDescriptor.TEXT_OFFSET, bytes, 0, length);
        return new String(bytes, StandardCharsets.UTF_8).replaceAll("\\p{Cntrl}", "?");
    }

    /**
     * Sets the text, cut to the length that fits.
     *
     * @param text for a person
     * @return this
     */
    public ControlMessage text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = Math.min(bytes.length, ControlMessageDescriptor.MAX_TEXT);
        memory.set(SHORT, ControlMessageDescriptor.TEXT_LENGTH_OFFSET, (short) length);
        MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, ControlMessageDescriptor.TEXT_OFFSET, length);
        return this;
    }
}
