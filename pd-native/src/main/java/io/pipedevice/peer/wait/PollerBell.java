// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.LinuxException;

/**
 * The bell of a {@link PeerEpoll}, and its place in a wider wait. Used by the waiting thread, except {@link #get} and
 * {@link #signal}, which any thread may call.
 */
final class PollerBell {
    /** Replaced if a peer has shut it down; written by the waiting thread. */
    private volatile Bell bell;

    /** The epoll set of the wider wait, or null. */
    private Epoll set;

    private long data;

    PollerBell() throws PdException {
        bell = BellPool.take();
    }

    Bell get() {
        return bell;
    }

    void signal() {
        bell.signal();
    }

    /** Adds the bell to a set, which reports the given number for it. */
    void join(Epoll wider, long number) throws PdException {
        set = wider;
        data = number;
        try {
            wider.add(bell.ear(), Epoll.IN, number);
        } catch (LinuxException e) {
            throw new PdException(e.errno(), "cannot be part of a wider wait");
        }
    }

    /** Leaves the set, if it is in one. */
    void part() {
        leave(bell);
        set = null;
    }

    private void leave(Bell joined) {
        if (set != null) {
            try {
                set.remove(joined.ear());
            } catch (LinuxException e) {
                // The bell was never in the set, or the set is closed: either way it is not in the set now.
                return;
            }
        }
    }

    /** Replaces the bell, which a peer has shut down. */
    void replace(Bell next) throws PdException {
        Bell ended = bell;
        bell = next;
        leave(ended);
        BellPool.discard(ended);
        if (set != null) {
            join(set, data);
        }
    }

    /** Gives the bell back. */
    void close() {
        part();
        BellPool.give(bell);
    }
}
