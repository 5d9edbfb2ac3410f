// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.Errno;
import java.io.IOException;
import java.util.Objects;

/**
 * Waits for a connection to a server, on the kernel or on rings; a virtual thread parks. Belongs to the holder of the
 * server's accept lock; {@link #wake} is for any thread.
 */
final class AcceptWait implements WideWait.Sink, AutoCloseable {
    private final WakeUp wakeUp = new WakeUp();
    private final WideWait wait;

    /** What is watched; null for none. */
    private PdSource watched;

    private RingPart part;

    /**
     * Prepares to wait.
     *
     * @param kernel descriptor of the listening kernel socket, which stays its channel's
     */
    AcceptWait(int kernel) throws IOException {
        wait = new WideWait(wakeUp, () -> false, this);
        boolean done = false;
        try {
            wait.addKernel(kernel, Epoll.IN);
            done = true;
        } finally {
            if (!done) {
                wait.close();
            }
        }
    }

    /**
     * Waits for a connection, or {@link #wake}, or without need.
     *
     * @param rings the listening socket, null if there is none; may be another one each time
     * @param timeoutNs longest time, {@link Long#MAX_VALUE} for ever
     */
    void await(PdSource rings, long timeoutNs) throws IOException {
        watch(rings);
        if (wait.lookAtRings() == 0 && !wakeUp.isCalled() && !(wait.spin() && wait.lookAtRings() > 0)) {
            wait.sleep(timeoutNs);
        }
        wakeUp.answer();
    }

    private void watch(PdSource rings) throws IOException {
        if (Objects.equals(rings, watched)) {
            return;
        }
        if (part != null) {
            part.remove(watched);
        }
        part = null;
        watched = null;
        if (rings != null) {
            try {
                RingPart joined = wait.partOf(rings);
                joined.add(rings, PdEpoll.IN, this);
                part = joined;
                watched = rings;
            } catch (PdException e) {
                if (Errno.isExhausted(e.errno())) {
                    throw e;
                }
                // Its driver is gone, which its channel will find out.
            } catch (IllegalStateException e) {
                // Closed meanwhile: who closes it wakes this wait, and the next round sees it.
                return;
            }
        }
    }

    @Override
    public void kernel(int descriptor, int events) {}

    @Override
    public void ring(Object attachment, int events) {}

    void wake() {
        wait.call();
    }

    @Override
    public void close() {
        wait.close();
    }
}
