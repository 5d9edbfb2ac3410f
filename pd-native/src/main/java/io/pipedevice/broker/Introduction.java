// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.linux.Fd;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.stream.PeerSocket;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;

/**
 * A client's kernel connection that may move to rings before its first byte. It is announced before its
 * SYN. The owner asks when the connection stands, waits for the decision, and then connects by rings; or it withdraws.
 * Thread safe, except that one thread at a time asks, waits, connects and withdraws.
 */
public sealed interface Introduction permits DriverIntroduction, LinkIntroduction {
    /** How long a driver may take to confirm that a question is withdrawn, in nanoseconds. */
    long LAST_WAIT_NS = TimeUnit.SECONDS.toNanos(1);

    /**
     * Asks for the server. Called once, when the kernel's connection stands and nothing was sent.
     *
     * @param socket of the connection; taken over
     * @param from its local address
     * @param decided runs when {@link #isDecided}, on another thread, which it must not block; or on this one
     */
    void ask(Fd socket, InetSocketAddress from, Runnable decided);

    /**
     * Whether the server was asked for.
     *
     * @return true from {@link #ask} on
     */
    boolean isAsked();

    /**
     * Whether it is decided which way the connection goes.
     *
     * @return whether {@link #connect} may be called
     */
    boolean isDecided();

    /**
     * Waits for the decision.
     *
     * @param nanos the longest wait
     * @return whether it is decided
     * @throws InterruptedException if the thread is interrupted
     */
    boolean await(long nanos) throws InterruptedException;

    /**
     * Makes sure that there is a decision also if no thread waits for it. Called after {@link #ask}.
     *
     * @param nanos the longest time, after which the introduction is withdrawn; longer on a busy machine ({@link
     *     io.pipedevice.wait.FairTimeout})
     */
    void decideWithin(long nanos);

    /**
     * Makes sure that no driver changes the socket from now on, to read it. To be called if there is no decision in
     * time. Waits for a driver that reads it now, which takes some microseconds unless the driver stands still.
     *
     * @throws InterruptedException if the thread is interrupted
     */
    void awaitUnread() throws InterruptedException;

    /**
     * Whether the socket belongs to this process alone, after a decision or {@link #awaitUnread}.
     *
     * @return false if a driver stands still, or has died, while it reads the socket, which is of no use then
     */
    boolean isUnread();

    /**
     * Whether a driver that was shown the socket has ended meanwhile, or has not answered.
     *
     * @return whether the socket may be left in a state in which it sends nothing
     */
    boolean isDriverGone();

    /**
     * Whether the data go through the driver's device, after a decision.
     *
     * @return the number by which an attachment of this process connects; 0 if the data go directly, or the connection
     *     stays on the kernel
     */
    long deviceNumber();

    /**
     * Connects by rings, directly, after a decision. If that fails, the connection stays on the kernel at both ends.
     *
     * @param from the local address of the kernel's connection
     * @param to its other address
     * @param hurried whether the thread serves other connections too
     * @return the connection on rings, for the caller to close
     * @throws PeerRefusal if the connection stays on the kernel
     */
    PeerSocket connect(InetSocketAddress from, InetSocketAddress to, boolean hurried) throws PeerRefusal;

    /**
     * Ends the wait for an answer: a question is then answered soon. The connection stays on the kernel, unless it was
     * decided otherwise before.
     */
    void withdraw();

    /** Gives the introduction up, because the kernel's connection is being closed, or does not come about. */
    void abandon();
}
