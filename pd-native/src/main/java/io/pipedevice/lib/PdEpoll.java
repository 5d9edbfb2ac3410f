// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import io.pipedevice.linux.Errno;

/**
 * Waits for many sockets at once: pd_epoll_ctl and pd_epoll_wait (§3.2), with the bits and the meaning of epoll(7).
 *
 * <p>Level-triggered by default: a socket is reported at each wait as long as it is ready. With {@link #ET} it is
 * reported once for each edge: the program then receives, or accepts, until there is nothing, and sends until it is
 * refused. A socket whose peer ended the stream or reset the connection is ready.
 *
 * <p>The cost of a wait grows with the number of sockets that are busy, not with the number that were added: sockets
 * that were ready lately are looked at in memory, the others are announced by the driver. A wait that finds nothing
 * sleeps and uses no processor time.
 *
 * <p>A wait, with {@link #await} or as part of a wider wait, is for one thread at a time. {@link #add}, {@link #modify},
 * {@link #discard}, {@link #remove}, {@link #wakeup} and {@link #close} are for any thread, also during a wait. A socket that
 * is closed leaves by itself. Closed by whoever opened it, or by {@link PipeDevice#close}; that wakes the waiting thread.
 */
public final class PdEpoll extends DriverWaitSet {
    /** There is something to receive or to accept, or the stream has ended. */
    public static final int IN = 0x1;

    /** It is worth while to call malloc or send again. */
    public static final int OUT = 0x4;

    /** The connection was reset; always reported. */
    public static final int ERR = 0x8;

    /** Nothing comes and nothing can be sent any more; always reported. */
    public static final int HUP = 0x10;

    /** The peer has ended the stream. */
    public static final int RDHUP = 0x2000;

    /** Edge-triggered. */
    public static final int ET = 1 << 31;

    /** Any thread. */
    private volatile boolean wakeup;

    PdEpoll(Attachment attachment) throws PdException {
        super(attachment);
    }

    /**
     * Removes a socket. A wait that has just found it may still report it.
     *
     * @param socket that was added
     * @throws IllegalStateException if the socket is not in this instance
     */
    public void remove(PdSocket socket) {
        if (!discard(socket)) {
            throw new IllegalStateException(socket + " is not in this PdEpoll");
        }
    }

    /**
     * Waits until a socket is ready.
     *
     * @param events receives what was found; cleared first
     * @param timeoutNanos longest time, 0 for a look, {@link PipeDevice#FOREVER}
     * @return how many sockets have events; 0 after the timeout or a {@link #wakeup}
     * @throws PdException if the driver is gone, or this instance was closed by another thread meanwhile
     * @throws IllegalStateException if this instance is closed, or another thread waits
     */
    public int await(PdEvents events, long timeoutNanos) throws PdException {
        PipeDevice.checkTimeout(timeoutNanos);
        enter();
        try {
            return await0(events, timeoutNanos);
        } catch (IllegalStateException e) {
            requireStillOpen();
            throw e;
        } finally {
            exit();
        }
    }

    private int await0(PdEvents events, long timeoutNanos) throws PdException {
        long start = 0;
        while (true) {
            requireStillOpen();
            attachment.link().check();
            if (lookAlone(events) > 0) {
                return events.count();
            }
            if (wakeup) {
                wakeup = false;
                return 0;
            }
            if (timeoutNanos == 0) {
                countEmptyWait();
                return 0;
            }
            start = start == 0 ? System.nanoTime() : start;
            if (spinAlone()) {
                continue;
            }
            long left = timeoutNanos == Long.MAX_VALUE ? timeoutNanos : timeoutNanos - (System.nanoTime() - start);
            if (left <= 0) {
                return 0;
            }
            if (sleepAlone(events, left) > 0) {
                return events.count();
            }
        }
    }

    /** Makes a wait, or the next one if there is none, return 0 at once. */
    public void wakeup() {
        wakeup = true;
        if (isAsleep()) {
            signal();
        }
    }

    @Override
    boolean isWokenUp() {
        return wakeup;
    }

    @Override
    void answerWakeUp() {
        wakeup = false;
    }

    private void requireStillOpen() throws PdException {
        if (!isOpen()) {
            throw new PdException(Errno.EBADF, "the PdEpoll was closed by another thread");
        }
    }
}
