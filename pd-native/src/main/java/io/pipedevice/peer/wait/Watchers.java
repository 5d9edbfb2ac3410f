// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.wait.ThreadBell;

/**
 * The watchers of a source in this process, and the arm words that they share. A single watcher of a direction arms
 * with its own bell. Several arm with the dispatcher's, which wakes all of them: the owner of a bell could be busy for
 * a long time before it passed a ring on. Thread safe.
 */
final class Watchers {
    private final PeerSource source;
    private final WatchedDirection in = new WatchedDirection();
    private final WatchedDirection out = new WatchedDirection();

    /** The dispatcher's number of the source. This and the next field are guarded by this object's monitor. */
    private int dispatcherNumber = Dispatcher.NONE;

    private boolean ended;

    Watchers(PeerSource source) {
        this.source = source;
    }

    /**
     * Arms a direction, so that a watcher is woken when it becomes ready. Afterwards the caller fences and checks the
     * source.
     *
     * @return false if no bell can be armed now, so that the watcher must not sleep for long
     */
    synchronized boolean arm(int direction, Watcher watcher) throws PdException {
        if (ended || watcher.isGone()) {
            return true;
        }
        WatchedDirection watched = watched(direction);
        watched.add(watcher);
        ThreadBell own = watched.isAlone() ? watcher.bell() : null;
        if (own instanceof SlotBell) {
            source.armInSlot(direction, watched.nextGeneration());
            return true;
        }
        return (own instanceof Bell bell && source.arm(direction, bell, watched.nextGeneration(), watcher.cookie()))
                || armDispatcher(direction, watched);
    }

    private boolean armDispatcher(int direction, WatchedDirection watched) throws PdException {
        if (dispatcherNumber == Dispatcher.NONE) {
            dispatcherNumber = Dispatcher.enter(source);
        }
        return dispatcherNumber != Dispatcher.NONE
                && source.arm(
                        direction,
                        Dispatcher.bellFor(source),
                        watched.nextGeneration(),
                        Dispatcher.cookie(dispatcherNumber, direction));
    }

    /** Removes a watcher. A wake-up that is under way may still come. */
    synchronized void disarm(int direction, Watcher watcher) {
        WatchedDirection watched = watched(direction);
        if (watched.remove(watcher) && watched.isEmpty() && !ended) {
            disarm(direction);
        }
    }

    private void disarm(int direction) {
        try {
            source.disarm(direction);
        } catch (IllegalStateException e) {
            // The memory is unmapped, so that the peer does not read the arm word either.
            return;
        }
    }

    private WatchedDirection watched(int direction) {
        return direction == PdEpoll.IN ? in : out;
    }

    /** Makes every watcher check the source again. Takes no lock. */
    void wake() {
        in.wake();
        out.wake();
    }

    /** Makes every watcher of a direction check the source again. Takes no lock. */
    void wake(int direction) {
        watched(direction).wake();
    }

    /**
     * Disarms the source for good, and wakes every watcher for the last time. After the return this object does not
     * access the source's words, which may then belong to another connection.
     */
    void end() {
        synchronized (this) {
            if (!ended) {
                ended = true;
                disarmAll();
                if (dispatcherNumber != Dispatcher.NONE) {
                    Dispatcher.leave(dispatcherNumber);
                    dispatcherNumber = Dispatcher.NONE;
                }
            }
        }
        wake();
    }

    private void disarmAll() {
        if (!in.isEmpty()) {
            disarm(PdEpoll.IN);
        }
        if (!out.isEmpty()) {
            disarm(PdEpoll.OUT);
        }
    }
}
