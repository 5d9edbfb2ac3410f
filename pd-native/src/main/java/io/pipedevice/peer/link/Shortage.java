// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.peer.protocol.PeerArmWord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * A shortage of descriptors in this process, during which messages of a link's peer have to wait, and the rings to make
 * up for at its end. Guarded by the link's lock, except where noted.
 */
final class Shortage {
    /**
     * The longest shortage that a thread waits for. Without descriptors a program cannot accept or open anything, so
     * that a sound program ends it sooner.
     */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);

    /** The number of the present shortage; 0 if there is none. */
    private volatile int present;

    private int count;

    /** Whether a thread waits for the end, and since when. */
    private boolean awaited;

    private long since;

    /** Whether a shortage has ended and the threads that wait for that have not been woken. */
    private boolean over;

    /**
     * The rings of unknown bells, whose messages may be among those that wait: the last arm word by the bell's number.
     */
    private final Map<Integer, Long> owed = new HashMap<>();

    /** Records that a message has to wait. False if a thread has waited for too long. */
    boolean persists() {
        if (present == 0) {
            present = ++count;
        }
        return !awaited || System.nanoTime() - since < PATIENCE_NS;
    }

    /** Records that a thread waits for the end. */
    void await() {
        if (!awaited) {
            since = System.nanoTime();
            awaited = true;
        }
    }

    /** Ends the shortage: no message has to wait any more, or none will ever be read. */
    void end() {
        over |= present != 0;
        present = 0;
        awaited = false;
    }

    /** Any thread. */
    boolean isPresent() {
        return present != 0;
    }

    /**
     * The number of the present shortage, by which a thread that waits for its end tells it from the next; 0 if there
     * is none. Any thread.
     */
    int present() {
        return present;
    }

    /** Records a ring that has to wait for the end: the thread that it should wake sleeps until then. */
    void owe(long armWord) {
        owed.put(PeerArmWord.bell(armWord), armWord);
        await();
    }

    /**
     * The arm words to ring now, if a shortage has ended since the last call; else null. Another shortage may have
     * begun meanwhile: one descriptor may have been enough for the awaited message, but not for the next one.
     */
    List<Long> takeEnd() {
        if (!over) {
            return null;
        }
        over = false;
        List<Long> words = List.copyOf(owed.values());
        owed.clear();
        return words;
    }
}
