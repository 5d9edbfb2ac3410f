// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.protocol;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;

/**
 * A message on the control connection between PD Lib and PD Driver ({@link ControlMessageDescriptor}), one per
 * SOCK_SEQPACKET record. A record of one byte is not a message but a ring of the doorbell: it announces posted
 * requests.
 *
 * <p>The types here are those of a process that attaches. {@link IntroductionMessage} has those of a process that takes
 * part in introductions; there the fields have other names.
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
     * pd_connect: socket id, peer address, argument = 0 or the number that {@link IntroductionMessage#CONNECTED} was
     * answered with, send ring (region, size, offset), receive ring size wanted, ring start. Answer: both addresses and
     * the receive ring, of which ring start is in use; the descriptor of its region comes along if the process does not
     * know it yet.
     */
    public static final int CONNECT = 6;

    /**
     * pd_accept: socket id of the listener, send ring for the new socket, ring start. Answer: the new socket's id, both
     * addresses and the receive ring as for connect, value = request id of {@link IntroductionMessage#ACCEPTED} of the
     * connection that it replaces, or 0; EAGAIN if the backlog is empty.
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

    /** Whether a connected socket wants urgent data in its stream: socket id, value = 1 if it does, 0 if not. */
    public static final int TAKE_URGENT = 32;

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
        return TextField.get(memory);
    }

    /**
     * Sets the text, cut to the length that fits.
     *
     * @param text for a person
     * @return this
     */
    public ControlMessage text(String text) {
        TextField.set(memory, text);
        return this;
    }
}
