// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Processor;
import java.util.Arrays;

/**
 * The sources of an epoll instance that are looked at in memory, because they were ready lately, or somebody rang for them.
 * Belongs to the thread that waits.
 */
final class HotEntries {
    /**
     * A source that was looked at so often without being ready is armed. One that is seldom ready again by then is armed
     * after fewer looks, because to name it as ready costs its peer less than the looks cost here.
     */
    static final int MOST_LOOKS_IN_VAIN = 64;

    private static final int LEAST_LOOKS_IN_VAIN = 4;

    /** A source that is ready so many scans after it was armed had better stayed. */
    private static final int SOON = 16;

    /** So long at most: many that are seldom ready would make each look at all of them long. */
    private static final long MOST_NS_IN_VAIN = 100_000;

    private static final int MOST_ASKED = 16;
    private static final int LEAVES = Integer.MIN_VALUE;

    private PeerEntry[] entries = new PeerEntry[16];
    private int count;

    /** Of these, how many have not left in this scan. */
    private int left;

    private int cursor;

    /** Scans so far. */
    private long scans;

    /** How many stayed in the last scan because nobody would tell of them. */
    private int unheard;

    /** The time of a scan; 0 before it was asked for. */
    private long now;

    int count() {
        return count;
    }

    int unheard() {
        return unheard;
    }

    boolean anyReady() {
        for (int i = 0; i < count; i++) {
            PeerEntry entry = entries[i];
            if (entry.isOver() || entry.look() != 0) {
                return true;
            }
        }
        return false;
    }

    /** Whether whoever brings news of any of these waits for this thread's processor; with many it is not worth asking. */
    boolean shareProcessor() {
        if (count > MOST_ASKED) {
            return false;
        }
        int processor = Processor.current();
        boolean all = true;
        for (int i = 0; i < count; i++) {
            // Each is told where this thread is, whatever the others say.
            all &= entries[i].sharesProcessor(processor);
        }
        return all;
    }

    /**
     * What a wake-up costs by the peer whose wake-ups cost most, or say they do: to look longer than the others would need
     * takes nothing from them.
     */
    long mostWakeUpNanos() {
        long most = 0;
        for (int i = 0; i < count; i++) {
            most = Math.max(most, entries[i].source.wakeUpNanos());
        }
        return count == 0 ? WakeUpCost.UNMEASURED_NS : most;
    }

    /** Adds an entry, if it is not here and was not removed, and looks at it for a while from now on. */
    void add(PeerEntry entry) {
        entry.looksInVain = 0;
        if (entry.hot || entry.isGone()) {
            return;
        }
        if (count == entries.length) {
            entries = Arrays.copyOf(entries, count * 2);
        }
        entries[count++] = entry;
        entry.hot = true;
        entry.disarm();
        if (scans - entry.leftAtScan <= SOON) {
            entry.patience = Math.min(MOST_LOOKS_IN_VAIN, entry.patience << 1);
        }
    }

    /**
     * Looks at each entry once, in turn. Those that are not ready are armed and leave: all of them before sleep, otherwise
     * those that were not ready for a while.
     *
     * @param keeps so many stay in any case
     * @return how many events there are
     */
    int scan(PdEvents events, boolean beforeSleep, int keeps) throws PdException {
        int index = cursor < count ? cursor : 0;
        boolean gaps = false;
        now = 0;
        left = count;
        unheard = 0;
        scans++;
        try {
            for (int looks = count; looks > 0 && !events.isFull(); looks--) {
                PeerEntry entry = entries[index];
                int ready = look(entry, beforeSleep, keeps);
                if (ready == LEAVES) {
                    left--;
                    entry.hot = false;
                    entries[index] = null;
                    gaps = true;
                } else if (ready != 0) {
                    entry.looksInVain = 0;
                    events.add(entry.source, entry.attachment, ready);
                }
                index = index + 1 == count ? 0 : index + 1;
            }
        } finally {
            cursor = index;
            if (gaps) {
                closeGaps();
            }
        }
        return events.count();
    }

    private int look(PeerEntry entry, boolean beforeSleep, int keeps) throws PdException {
        if (entry.isOver()) {
            entry.epoll.forget(entry);
            return LEAVES;
        }
        int ready = entry.look();
        if (ready != 0 || (!beforeSleep && !isQuiet(entry))) {
            return ready;
        }
        ready = entry.insist();
        if (ready != 0 || left <= keeps) {
            return ready;
        }
        if (!beforeSleep) {
            entry.patience = Math.max(LEAST_LOOKS_IN_VAIN, entry.patience >> 1);
            entry.leftAtScan = scans;
        }
        return arm(entry);
    }

    private int arm(PeerEntry entry) throws PdException {
        int ready = entry.armAndLook();
        if (ready == PeerEpoll.UNHEARD) {
            // It stays, and is looked at again soon.
            unheard++;
            return 0;
        }
        if (ready != 0) {
            entry.disarm();
            return ready;
        }
        if (entry.isOver()) {
            // Closed since the first look at it, when nobody who is armed was there to be told.
            entry.epoll.forget(entry);
        }
        return LEAVES;
    }

    /** Whether an entry that is not ready was not for a while. */
    private boolean isQuiet(PeerEntry entry) {
        if (now == 0) {
            now = System.nanoTime();
        }
        if (++entry.looksInVain == 1) {
            entry.inVainSince = now;
            return false;
        }
        return entry.looksInVain > entry.patience || now - entry.inVainSince > MOST_NS_IN_VAIN;
    }

    /** Moves the entries together; the one to be looked at next stays the next. */
    private void closeGaps() {
        int kept = 0;
        int next = 0;
        for (int i = 0; i < count; i++) {
            next = i == cursor ? kept : next;
            if (entries[i] != null) {
                entries[kept++] = entries[i];
            }
        }
        Arrays.fill(entries, kept, count, null);
        count = kept;
        cursor = next;
    }
}
