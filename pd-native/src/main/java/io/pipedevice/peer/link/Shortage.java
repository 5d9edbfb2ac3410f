// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.peer.protocol.PeerArmWord;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Whether this process may have no more descriptors at present, so that what the peer of a link tells has to wait, and what
 * is to be made up for when it has. Guarded by the link's lock, except what says otherwise.
 */
final class Shortage {
    /** Without descriptors a program accepts and opens nothing, so that it does not let this last for long. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);

    /** Which one is present; 0 if none is. */
    private volatile int present;

    private int count;

    /** Whether somebody cannot go on before the end, and since when. */
    private boolean awaited;

    private long since;

    /** Whether one is over and those who wait for that were not told. */
    private boolean over;

    /** What was to ring a bell that is not known, which may be among what waits: the last arm word by the bell's number. */
    private final Map<Integer, Long> owed = new HashMap<>();

    /** A message has to wait. False if somebody has waited for it for too long. */
    boolean persists() {
        if (present == 0) {
            present = ++count;
        }
        return !awaited || System.nanoTime() - since < PATIENCE_NS;
    }

    /** Somebody waits for the end. */
    void await() {
        if (!awaited) {
            since = System.nanoTime();
            awaited = true;
        }
    }

    /** No message has to wait any more, or none will ever be read. */
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
     * Which one is present, so that a thread that waits for the end of one knows it from the next; 0 if none is. Any thread.
     */
    int present() {
        return present;
    }

    /** A thread sleeps that no peer can wake before the end. */
    void owe(long armWord) {
        owed.put(PeerArmWord.bell(armWord), armWord);
        await();
    }

    /**
     * What is to be rung now, if an end has come since this was asked last; null if not. There may be another shortage by
     * now: one descriptor was enough for what somebody waited for, and not for what was told next.
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
