// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

/**
 * Waits for many sockets at once: pd_epoll_ctl and pd_epoll_wait (§3.2), with the bits and the meaning of epoll(7).
 *
 * <p>Level-triggered by default: a socket is reported at each wait as long as it is ready. With {@link #ET} it is
 * reported once for each edge: the program must then receive or accept until there is nothing more, or send until there
 * is no room. A socket whose peer ended the stream or reset the connection is ready.
 *
 * <p>The cost of a wait grows with the number of sockets that are busy, not with the number that were added: the
 * readiness of recently ready sockets is read from memory, and the driver announces that of the others. A wait that
 * finds nothing sleeps and uses no processor time.
 *
 * <p>One thread at a time waits, with {@link #await} or as part of a wider wait. Any thread may call {@link #add},
 * {@link #modify}, {@link #discard}, {@link #remove}, {@link #wakeup} and {@link #close}, also during a wait. A socket
 * that is closed is removed. The owner or {@link PipeDevice#close} closes an instance; that wakes the waiting thread.
 */
public interface PdEpoll extends AutoCloseable {
    /** There is something to receive or to accept, or the stream has ended. */
    int IN = 0x1;

    /** There may be room: it is worth calling malloc or send again. */
    int OUT = 0x4;

    /** The connection was reset; always reported. */
    int ERR = 0x8;

    /** Nothing can be received or sent any more; always reported. */
    int HUP = 0x10;

    /** The peer has ended the stream. */
    int RDHUP = 0x2000;

    /** Edge-triggered. */
    int ET = 1 << 31;

    /**
     * Adds a socket: pd_epoll_ctl with EPOLL_CTL_ADD. If it is ready already, the next wait reports it.
     *
     * @param socket of the {@link PipeDevice} that this instance belongs to
     * @param events {@link #IN}, {@link #OUT}, {@link #RDHUP}, {@link #ET}, or-ed
     * @param attachment reported with its events, may be null
     * @throws IllegalStateException if the socket is closed or is in this instance already
     * @throws IllegalArgumentException if it belongs to another {@link PipeDevice}
     * @throws PdException if a descriptor that this needs cannot be had
     */
    void add(PdSource socket, int events, Object attachment) throws PdException;

    /**
     * Changes the events that a socket is watched for, and makes its present readiness an edge again.
     *
     * @param socket that was added
     * @param events as for {@link #add}
     * @throws IllegalStateException if the socket is not in this instance
     */
    void modify(PdSource socket, int events);

    /**
     * Removes a socket if it is in this instance. A wait that has just found it ready may still report it.
     *
     * @param socket in any state
     * @return whether it was in this instance
     */
    boolean discard(PdSource socket);

    /**
     * Removes a socket. A wait that has just found it ready may still report it.
     *
     * @param socket that was added
     * @throws IllegalStateException if the socket is not in this instance
     */
    void remove(PdSocket socket);

    /**
     * Waits until a socket is ready.
     *
     * @param events receives the events; cleared first
     * @param timeoutNanos longest time, 0 to return at once, {@link PipeDevice#FOREVER}
     * @return how many sockets have events; 0 after the timeout or a {@link #wakeup}
     * @throws PdException if the driver is gone, or this instance was closed by another thread meanwhile
     * @throws IllegalStateException if this instance is closed, or another thread waits
     */
    int await(PdEvents events, long timeoutNanos) throws PdException;

    /** Makes a wait, or the next one if there is none, return 0 at once. */
    void wakeup();

    /**
     * Whether this instance can be used.
     *
     * @return false from the beginning of {@link #close} on
     */
    boolean isOpen();

    /** Removes every socket; the sockets stay open. A waiting thread gets an exception. A second call does nothing. */
    @Override
    void close();
}
