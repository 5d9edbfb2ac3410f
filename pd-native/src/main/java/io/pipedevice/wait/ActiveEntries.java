// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import java.util.Arrays;

/**
 * The entries of a wait that are looked at in memory, because they were ready lately, or another thread or process asked for
 * a look at them. Belongs to the thread that waits.
 */
public final class ActiveEntries {
    /** An entry that was looked at so often without being ready is armed. */
    static final int MOST_LOOKS_IN_VAIN = 64;

    /** An entry that is ready so many scans after it was armed had better stayed. */
    private static final int SOON = 16;

    private static final int MOST_ASKED = 16;
    private static final int LEAVES = Integer.MIN_VALUE;

    private final int leastLooksInVain;
    private final long mostNsInVain;
    private WaitEntry[] entries = new WaitEntry[16];
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

    /**
     * Creates an empty set.
     *
     * @param leastLooksInVain 1 to 64. An entry that is seldom ready again before it is armed is armed after fewer looks,
     *     but after so many at least
     * @param mostNsInVain an entry that was not ready for so long is armed: many of them make each look at all of them long
     */
    public ActiveEntries(int leastLooksInVain, long mostNsInVain) {
        this.leastLooksInVain = leastLooksInVain;
        this.mostNsInVain = mostNsInVain;
    }

    /**
     * How many are looked at in memory.
     *
     * @return 0 or more
     */
    public int count() {
        return count;
    }

    /**
     * How many of these stayed in the last scan because nobody would tell of them.
     *
     * @return 0 to the count
     */
    public int unheard() {
        return unheard;
    }

    /**
     * Whether the next scan is likely to find something.
     *
     * @return whether an entry is ready, or over
     */
    public boolean anyReady() {
        for (int i = 0; i < count; i++) {
            WaitEntry entry = entries[i];
            if (entry.isOver() || entry.look() != 0) {
                return true;
            }
        }
        return false;
    }

    /**
     * Whether what makes any of these ready waits for the calling thread's processor. With many it is not worth asking.
     *
     * @param processor that the calling thread is on
     * @return whether that is so for all of them
     */
    public boolean shareProcessor(int processor) {
        if (count > MOST_ASKED) {
            return false;
        }
        boolean all = true;
        for (int i = 0; i < count; i++) {
            // Each is told where this thread is, whatever the others say.
            all &= entries[i].sharesProcessor(processor);
        }
        return all;
    }

    /**
     * What a wake-up costs for the entry whose wake-ups cost most, or are said to: to look longer than the others would need
     * takes nothing from them.
     *
     * @return nanoseconds, 0 if there is no entry
     */
    public long mostWakeUpNanos() {
        long most = 0;
        for (int i = 0; i < count; i++) {
            most = Math.max(most, entries[i].wakeUpNanos());
        }
        return most;
    }

    /**
     * Adds an entry, if it is not here and was not removed, and looks at it for a while from now on.
     *
     * @param entry of the wait that this belongs to
     */
    public void add(WaitEntry entry) {
        entry.looksInVain = 0;
        if (entry.active || entry.isGone()) {
            return;
        }
        if (count == entries.length) {
            entries = Arrays.copyOf(entries, count * 2);
        }
        entries[count++] = entry;
        entry.active = true;
        entry.disarm();
        if (scans - entry.leftAtScan <= SOON) {
            entry.patience = Math.min(MOST_LOOKS_IN_VAIN, entry.patience << 1);
        }
    }

    /**
     * Looks at each entry once, in turn. Those that are not ready are armed and leave: all of them before sleep, otherwise
     * those that were not ready for a while.
     *
     * @param events receives what is ready
     * @param beforeSleep whether the thread sleeps if nothing is
     * @param keeps so many stay in any case
     * @return how many events there are
     * @throws PdException if an entry cannot be armed
     */
    public int scan(PdEvents events, boolean beforeSleep, int keeps) throws PdException {
        int index = cursor < count ? cursor : 0;
        boolean gaps = false;
        now = 0;
        left = count;
        unheard = 0;
        scans++;
        try {
            for (int looks = count; looks > 0 && !events.isFull(); looks--) {
                WaitEntry entry = entries[index];
                int ready = look(entry, beforeSleep, keeps);
                if (ready == LEAVES) {
                    left--;
                    entry.active = false;
                    entries[index] = null;
                    gaps = true;
                } else if (ready != 0) {
                    entry.looksInVain = 0;
                    entry.report(events, ready);
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

    private int look(WaitEntry entry, boolean beforeSleep, int keeps) throws PdException {
        if (entry.isOver()) {
            entry.set.forget(entry);
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
            entry.patience = Math.max(leastLooksInVain, entry.patience >> 1);
            entry.leftAtScan = scans;
        }
        return arm(entry);
    }

    private int arm(WaitEntry entry) throws PdException {
        int ready = entry.armAndLook();
        if (ready == WaitEntry.UNHEARD) {
            // It stays, and is looked at again soon.
            unheard++;
            return 0;
        }
        if (ready != 0) {
            entry.disarm();
            return ready;
        }
        if (entry.isOver()) {
            // Closed since the first look at it, before it was armed: nothing has told of that.
            entry.set.forget(entry);
        }
        return LEAVES;
    }

    /** Whether an entry that is not ready was not for a while. */
    private boolean isQuiet(WaitEntry entry) {
        if (now == 0) {
            now = System.nanoTime();
        }
        if (++entry.looksInVain == 1) {
            entry.inVainSince = now;
            return false;
        }
        return entry.looksInVain > entry.patience || now - entry.inVainSince > mostNsInVain;
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
