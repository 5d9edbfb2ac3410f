// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.FdWatch;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.peer.protocol.PeerArmWord;
import java.util.function.IntConsumer;

/**
 * Receives the rings for all watchers of this process without a bell of their own, such as sleeping virtual threads:
 * the watching thread wakes the watchers of the source that a ring names. Thread safe.
 */
public final class Dispatcher {
    static final int NONE = CookieTable.FULL;

    private static final CookieTable<PeerSource> SOURCES = new CookieTable<>(PeerArmWord.MAX_COOKIE >> 1);
    private static final Overflows OVERFLOWS = new Overflows();
    private static final IntConsumer RUNG = Dispatcher::rung;

    /** The bell in use; null before the first, and while none can be opened. Changed under the class's monitor. */
    private static volatile Bell bell;

    /** The watch of the bell in use; guarded by the class's monitor. */
    private static FdWatch watch;

    private Dispatcher() {}

    /**
     * The bell. If a peer has shut it down, the next call opens another.
     *
     * @return owned by the dispatcher
     * @throws PdException if there is none, and descriptors are exhausted
     */
    public static Bell bell() throws PdException {
        Bell open = bell;
        return open == null ? open() : open;
    }

    private static synchronized Bell open() throws PdException {
        if (bell == null) {
            Bell opened = Bell.open();
            boolean done = false;
            try {
                watch = FdWatch.open(opened.ear(), Epoll.IN, events -> heard(opened));
                done = true;
            } catch (LinuxException e) {
                throw new PdException(e.errno(), "cannot wait for peers");
            } finally {
                if (!done) {
                    opened.close();
                }
            }
            bell = opened;
        }
        return bell;
    }

    /** The bell, for a source that is armed with it. */
    static Bell bellFor(PeerSource source) throws PdException {
        OVERFLOWS.note(source);
        return bell();
    }

    /** Registers a source. Returns its number, or {@link #NONE} if there are too many. */
    static int enter(PeerSource source) {
        return SOURCES.add(source);
    }

    static void leave(int number) {
        SOURCES.remove(number);
    }

    /** The cookie for one direction of a source. */
    static int cookie(int number, int direction) {
        return number << 1 | (direction == PdEpoll.IN ? 0 : 1);
    }

    private static void rung(int cookie) {
        PeerSource source = cookie < 0 ? null : SOURCES.get(cookie >> 1);
        if (source != null) {
            source.watchers.wake((cookie & 1) == 0 ? PdEpoll.IN : PdEpoll.OUT);
        }
    }

    private static void heard(Bell rung) {
        boolean open = rung.drain(RUNG);
        if (!open) {
            drop(rung);
        }
        if (!open) {
            SOURCES.forEach(source -> source.watchers.wake());
        } else if (rung.wasCrowded() && OVERFLOWS.happened()) {
            SOURCES.forEach(source -> {
                if (OVERFLOWS.concern(source)) {
                    source.watchers.wake();
                }
            });
        }
    }

    /** Closes a bell that was shut down; sources are armed with the next one. */
    private static synchronized void drop(Bell ended) {
        if (bell == ended) {
            watch.close();
            bell = null;
            ended.close();
        }
    }
}
