// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;

/**
 * The watchers of a source in this process, and the arm words that they share. One watcher alone in a direction arms with
 * its own bell. Several arm with the dispatcher's, which tells all of them, because the owner of a bell may be busy with
 * other things for long. Thread safe.
 */
final class Watchers {
    private final PeerSource source;
    private final WatchedDirection in = new WatchedDirection();
    private final WatchedDirection out = new WatchedDirection();

    /** By which the dispatcher knows the source. Under this object's monitor, as the next. */
    private int dispatcherNumber = Dispatcher.NONE;

    private boolean ended;

    Watchers(PeerSource source) {
        this.source = source;
    }

    /**
     * Asks that a watcher is woken when a direction becomes ready. The caller fences and looks afterwards.
     *
     * @return false if nobody can ring for it now, so that it must not sleep for long
     */
    synchronized boolean arm(int direction, Watcher watcher) throws PdException {
        if (ended || watcher.isGone()) {
            return true;
        }
        WatchedDirection watched = watched(direction);
        watched.add(watcher);
        Bell own = watched.isAlone() ? watcher.bell() : null;
        return (own != null && source.arm(direction, own, watched.nextGeneration(), watcher.cookie()))
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

    /** Asks for a watcher no more; a wake-up that is under way may still come. */
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
            // Its memory is gone, and nobody reads it.
            return;
        }
    }

    private WatchedDirection watched(int direction) {
        return direction == PdEpoll.IN ? in : out;
    }

    /** Makes every watcher look at the source again. Takes no lock. */
    void wake() {
        in.wake();
        out.wake();
    }

    /** Makes every watcher of a direction look at the source again. Takes no lock. */
    void wake(int direction) {
        watched(direction).wake();
    }

    /**
     * Arms nothing any more, and wakes everybody for the last time. From the return on nothing here touches the source's
     * words, which may then be another connection's.
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
