// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.protocol;

import java.lang.foreign.ValueLayout;
import java.net.InetSocketAddress;
import java.nio.ByteOrder;

/**
 * The messages on the control connection of a process that takes part in introductions ({@link
 * IntroductionMessageDescriptor}): the driver finds out which two processes have the ends of one connection of the
 * kernel's. A view of a {@link ControlMessage}, with the names that its parts have here; used by one thread at a time.
 * A received message holds any values that the other process wrote: the caller checks every value.
 */
public final class IntroductionMessage {
    /**
     * Takes part in introductions. First message of a control connection that does not attach. Answer: {@link #FIXED}
     * or 0, and the size of the driver's memory for permits ({@link PermitPageDescriptor}), whose descriptor comes
     * along.
     */
    public static final int JOIN = 12;

    /**
     * In the answer to {@link #JOIN}: the driver's rulings do not change as long as the control connection stands, and
     * all that it permits is direct. Two processes that it has introduced need not ask it again.
     */
    public static final int FIXED = 1;

    /**
     * A listener, by a number which the process chooses: 1, local address, one message for each. A socket of
     * sock_diag(7) comes along with the first message. With 0 instead of 1 the listener is closed. No answer.
     */
    public static final int LISTENS = 13;

    /** Sent before a connection's SYN: request id = number of the intent, local port. No answer. */
    public static final int INTEND = 14;

    /**
     * The connection of an intent stands: request id = that of INTEND, local address = its own, as the client says,
     * slot of the permit to read its socket, which comes along. Answer, when the server has accepted: process and start
     * time of the server, its listener. Process = 0: data go through the device, and the number for CONNECT. Or a
     * status: the connection stays on the kernel.
     */
    public static final int CONNECTED = 15;

    /**
     * A connection was accepted: listener, the client's port, slot of the permit to read its socket, which comes along.
     * Answer: process and start time of the client, peer address = the client's own. Process = 0: data go through the
     * device, the connection will wait where OFFERS says. Or a status: the connection stays on the kernel.
     */
    public static final int ACCEPTED = 16;

    /** An intent is given up: request id = that of INTEND. CONNECTED is answered at once; no other answer. */
    public static final int WITHDRAW = 17;

    /**
     * A link with the process that CONNECTED named: process, start time and listener as there. Answer: a connected
     * socket comes along.
     */
    public static final int LINK = 18;

    /**
     * From the driver, without a request: the other end of a link. Process and start time of the client, listener; a
     * connected socket comes along.
     */
    public static final int NEWCOMER = 19;

    /**
     * From the driver, without a request: the client of an accepted connection stays on the kernel, although it was
     * introduced. Request id = that of ACCEPTED.
     */
    public static final int RELEASED = 20;

    /**
     * Where connections through the device are accepted: listener, cid of an attachment of the same process, id of a
     * listening socket there. No answer.
     */
    public static final int OFFERS = 21;

    /**
     * The socket of a listener, by which clients of its network namespace find it: listener, number of the socket's
     * descriptor, the socket's inode. No answer.
     */
    public static final int SERVES = 22;

    /**
     * Which listener has a socket of this network namespace: the socket's inode, local address = the destination.
     * Answer: process and start time of the server, its listener. Process = 0: connections go through the device, by
     * CONNECT. Or a status: there is no such listener, ENOENT, or the connection stays on the kernel.
     */
    public static final int FIND = 23;

    /** A link with the process that FIND named: as LINK. */
    public static final int LINK_NEIGHBOUR = 24;

    /**
     * From the driver, without a request: the other end of a link with a client that has asked by FIND; as NEWCOMER.
     */
    public static final int NEIGHBOUR = 25;

    /**
     * A link of this process to another one that the driver has introduced: inode number of the other side's memory, 1
     * if no driver was shown the link before; the memory of this side comes along. No answer.
     */
    public static final int SHOWS = 26;

    /** A link that was shown has ended: inode number of this side's memory. No answer. */
    public static final int HIDES = 27;

    /**
     * From the driver, without a request: a link that was shown is to be given up. Inode number of this side's memory,
     * text = the reason.
     */
    public static final int CUT = 28;

    /**
     * To a participant, without a request and an answer: the bytes per second that its direct connections may send
     * together, 0 for as many as they like. It holds until the next RATE, or until the process joins a driver again.
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

    /**
     * The memory of a participant's permits ({@link PermitPageDescriptor}): its size; its descriptor comes along. Once,
     * before CONNECTED and ACCEPTED. No answer.
     */
    public static final int PERMITS = 33;

    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG.withOrder(ByteOrder.LITTLE_ENDIAN);

    private final ControlMessage message;

    /**
     * Looks at a message.
     *
     * @param message of one of these types
     */
    public IntroductionMessage(ControlMessage message) {
        this.message = message;
    }

    private int value() {
        return message.memory().get(INT, IntroductionMessageDescriptor.VALUE_OFFSET);
    }

    private long argument() {
        return message.memory().get(LONG, IntroductionMessageDescriptor.ARGUMENT_OFFSET);
    }

    /**
     * The status of an answer.
     *
     * @return 0, or an errno value
     */
    public int status() {
        return message.status();
    }

    /**
     * The text for a person.
     *
     * @return the reason for a status
     */
    public String text() {
        return message.text();
    }

    /**
     * The number of a listener.
     *
     * @return any value
     */
    public int listener() {
        return message.memory().get(INT, IntroductionMessageDescriptor.LISTENER_OFFSET);
    }

    /**
     * Whether this answer to {@link #JOIN} says {@link #FIXED}.
     *
     * @return false if the driver must be asked about every connection
     */
    public boolean isFixed() {
        return value() == FIXED;
    }

    /**
     * Whether this is the successful answer about a connection whose data go through the device.
     *
     * @return false if it names a process, or has a status
     */
    public boolean isThroughDevice() {
        return status() == 0 && value() == 0;
    }

    /**
     * The number of a process, in the driver's PID namespace.
     *
     * @return any value; 0 if data go through the device
     */
    public int process() {
        return value();
    }

    /**
     * The start time of that process.
     *
     * @return in clock ticks since boot, any value
     */
    public long startTime() {
        return argument();
    }

    /**
     * The number with which a client connects through the device.
     *
     * @return any value
     */
    public long ticket() {
        return argument();
    }

    /**
     * The address of the client of an accepted connection, as its own process sees it.
     *
     * @return an address, or null if there is none or its family is unknown
     */
    public InetSocketAddress client() {
        return message.peerAddress();
    }

    /**
     * The inode number of one side's memory of a link.
     *
     * @return any value
     */
    public long linkMemory() {
        return argument();
    }

    /**
     * The size of the memory for permits.
     *
     * @return in bytes, any value
     */
    public long permitsSize() {
        return argument();
    }

    /**
     * The rate of all direct connections of the process together.
     *
     * @return in bytes per second, any value; 0 for no limit
     */
    public long rate() {
        return argument();
    }
}
