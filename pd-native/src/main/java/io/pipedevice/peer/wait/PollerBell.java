// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.LinuxException;

/**
 * The bell of a {@link PeerEpoll}, and its place in a wider wait. Belongs to the waiting thread, except {@link #get} and
 * {@link #signal}, which are for any thread.
 */
final class PollerBell {
    /** Another if a peer has ended it; written by the waiting thread. */
    private volatile Bell bell;

    /** The wider wait's, null if there is none. */
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

    /** Adds the bell to a set, which reports a number with it. */
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
                // Never in it, or the set is closed: not in it now.
                return;
            }
        }
    }

    /** A peer has ended the bell; another takes its place. */
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
