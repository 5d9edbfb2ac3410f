// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.Errno;
import java.io.IOException;
import java.util.Objects;

/**
 * Waits for a connection to a server, on the kernel or on rings; a virtual thread parks. Belongs to the holder of the
 * server's accept lock, which also closes it; {@link #wake} is for any thread.
 */
public final class AcceptWait implements AutoCloseable {
    private final WakeUp wakeUp = new WakeUp();
    private final CompositePoller poller;

    private final RingWatch first = new RingWatch();
    private final RingWatch second = new RingWatch();

    /** Ignores the poller's reports: the server polls both sources after each wait. */
    private static final class Ignored implements CompositePoller.Sink {
        @Override
        public void kernel(int descriptor, int events) {}

        @Override
        public void ring(Object attachment, int events) {}
    }

    /**
     * Prepares to wait.
     *
     * @param kernel descriptor of the listening kernel socket, which stays its channel's
     * @throws IOException if there is no descriptor to wait with
     */
    public AcceptWait(int kernel) throws IOException {
        try {
            poller = open(kernel);
        } catch (IOException e) {
            throw SystemFailure.of(e);
        }
    }

    private CompositePoller open(int kernel) throws IOException {
        CompositePoller opened = new CompositePoller(wakeUp, () -> false, new Ignored());
        boolean done = false;
        try {
            opened.addKernel(kernel, Epoll.IN);
            done = true;
            return opened;
        } finally {
            if (!done) {
                opened.close();
            }
        }
    }

    /**
     * Waits for a connection, or for {@link #wake}. May also return without either.
     *
     * @param listening the listening socket on rings, null if there is none; may be another one at each call
     * @param other a second one, null if there is none
     * @param timeoutNs longest time, {@link Long#MAX_VALUE} for ever
     * @throws IOException if there is no descriptor or memory to watch the socket on rings
     */
    public void await(PdSource listening, PdSource other, long timeoutNs) throws IOException {
        try {
            watchAndWait(listening, other, timeoutNs);
        } catch (IOException e) {
            throw SystemFailure.of(e);
        }
    }

    private void watchAndWait(PdSource listening, PdSource other, long timeoutNs) throws IOException {
        watch(first, listening);
        watch(second, other);
        if (poller.pollRings() == 0 && !wakeUp.isCalled() && !(poller.spin() && poller.pollRings() > 0)) {
            poller.sleep(timeoutNs);
        }
        wakeUp.answer();
    }

    private void watch(RingWatch watch, PdSource listening) throws IOException {
        if (Objects.equals(listening, watch.ring)) {
            return;
        }
        if (watch.poller != null) {
            watch.poller.remove(watch.ring);
        }
        watch.poller = null;
        watch.ring = null;
        if (listening != null) {
            try {
                RingPoller joined = poller.pollerOf(listening);
                joined.add(listening, PdEpoll.IN, this);
                watch.poller = joined;
                watch.ring = listening;
            } catch (PdException e) {
                if (Errno.isExhausted(e.errno())) {
                    throw e;
                }
                // Its driver is gone. The channel detects that when it accepts.
            } catch (IllegalStateException e) {
                // Closed meanwhile: the thread that closed it wakes this one, which then checks again.
                return;
            }
        }
    }

    /** Wakes the waiting thread, or the next one that waits. */
    public void wake() {
        poller.wake();
    }

    /** Gives the descriptors back. No thread waits any more. */
    @Override
    public void close() {
        poller.close();
    }
}
