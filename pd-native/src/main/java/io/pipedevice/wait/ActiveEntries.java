// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import java.util.Arrays;

/**
 * The entries of a wait whose readiness is polled in memory, because they were ready lately, or because another thread
 * or process asked for a look. Belongs to the waiting thread.
 */
public final class ActiveEntries {
    /** After this number of looks that found it not ready, an entry is armed. */
    static final int MOST_LOOKS_IN_VAIN = 64;

    /** An entry that is ready again within this number of scans after it was armed left too early. */
    private static final int SOON = 16;

    private static final int MOST_ASKED = 16;
    private static final int LEAVES = Integer.MIN_VALUE;

    private final int leastLooksInVain;
    private final long mostNsInVain;
    private WaitEntry[] entries = new WaitEntry[16];
    private int count;

    /** The number of entries that have not left in this scan. */
    private int left;

    private int cursor;

    /** The number of armed entries, also of those that were removed and are in the queue. */
    private int armed;

    /** Scans so far. */
    private long scans;

    /** The number of entries that stayed in the last scan because nothing would announce their readiness. */
    private int unheard;

    /** The time of a scan; 0 until the scan needs it. */
    private long now;

    /**
     * Creates an empty set.
     *
     * @param leastLooksInVain 1 to 64. An entry that is seldom ready again before it is armed is armed after fewer
     *     looks, but at least this number
     * @param mostNsInVain an entry that was not ready for this time is armed: many active entries make a scan long
     */
    public ActiveEntries(int leastLooksInVain, long mostNsInVain) {
        this.leastLooksInVain = leastLooksInVain;
        this.mostNsInVain = mostNsInVain;
    }

    /**
     * The number of active entries.
     *
     * @return 0 or more
     */
    public int count() {
        return count;
    }

    /**
     * Whether entries are armed, so that announcements of them have to be taken in. An armed entry that is removed
     * counts until the waiting thread takes it from the queue, and an active one never: no removal hides an
     * announcement.
     *
     * @return false if there is no armed entry
     */
    public boolean anyArmed() {
        return armed > 0;
    }

    /**
     * The number of entries that stayed in the last scan because nothing would announce their readiness.
     *
     * @return 0 to the count
     */
    public int unheard() {
        return unheard;
    }

    /**
     * Whether the next scan is likely to find something.
     *
     * @return whether an entry is ready, or must be removed
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
     * Whether every thread that can make one of the entries ready waits for the calling thread's processor. With many
     * entries this is not checked.
     *
     * @param processor on which the calling thread runs
     * @return false if that is not so or unknown for one of them
     */
    public boolean shareProcessor(int processor) {
        if (count > MOST_ASKED) {
            return false;
        }
        boolean all = true;
        for (int i = 0; i < count; i++) {
            // No short circuit: each entry must learn where this thread is.
            all &= entries[i].sharesProcessor(processor);
        }
        return all;
    }

    /**
     * The highest cost of a wake-up among the entries, measured or assumed. Entries with cheaper wake-ups lose nothing
     * by a longer spin.
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
     * Adds an entry, unless it is active already or was removed, and polls it for a while from now on.
     *
     * @param entry of this object's wait
     */
    public void add(WaitEntry entry) {
        entry.looksInVain = 0;
        if (entry.armed) {
            entry.armed = false;
            armed--;
        }
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
     * Looks at each entry once, in turn. Entries that are not ready are armed and leave: before sleep all of them,
     * otherwise those that were not ready for a while.
     *
     * @param events receives the events
     * @param beforeSleep whether the thread sleeps if nothing is ready
     * @param keeps the number of entries that stay in any case
     * @return the number of events
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
            // It stays, and is polled again soon.
            unheard++;
            return 0;
        }
        if (ready != 0) {
            entry.disarm();
            return ready;
        }
        if (entry.isOver()) {
            // It was closed between the first look and the arming, so that no wake-up announces that.
            entry.set.forget(entry);
            return LEAVES;
        }
        entry.armed = true;
        armed++;
        return LEAVES;
    }

    /** Whether an entry that is not ready now has not been ready for a while. */
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

    /** Moves the entries together; the cursor stays at the same entry. */
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
