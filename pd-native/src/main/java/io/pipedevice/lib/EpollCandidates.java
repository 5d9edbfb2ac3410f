// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import java.util.Arrays;

/**
 * The sockets of an epoll instance that are looked at in memory, because they were ready lately, or somebody announced
 * them. Belongs to the thread that waits.
 */
final class EpollCandidates {
    /** A candidate that was looked at so often without being ready is armed. */
    private static final int MAX_LOOKS_IN_VAIN = 64;

    private static final int NO_CANDIDATE = -1;

    private EpollEntry[] candidates = new EpollEntry[16];
    private int candidateCount;
    private int cursor;

    boolean isEmpty() {
        return candidateCount == 0;
    }

    boolean anyReady() {
        for (int i = 0; i < candidateCount; i++) {
            if (candidates[i].look() != 0) {
                return true;
            }
        }
        return false;
    }

    void add(EpollEntry entry) {
        if (candidateCount == candidates.length) {
            candidates = Arrays.copyOf(candidates, candidateCount * 2);
        }
        candidates[candidateCount++] = entry;
        entry.candidate = true;
        entry.armed = 0;
    }

    /**
     * Looks at each candidate once, in turn. Those that are not ready are armed and no longer looked at: all of them
     * before sleep, otherwise those that were not ready for a while.
     */
    int scan(PdEvents events, boolean beforeSleep) throws PdException {
        int index = cursor < candidateCount ? cursor : 0;
        boolean gaps = false;
        try {
            for (int looks = candidateCount; looks > 0 && !events.isFull(); looks--) {
                EpollEntry entry = candidates[index];
                int ready = look(entry, beforeSleep);
                if (ready > 0) {
                    entry.reported();
                    events.add(entry.core.socket, entry.attachment, ready);
                } else if (ready < 0) {
                    entry.candidate = false;
                    candidates[index] = null;
                    gaps = true;
                }
                index = index + 1 == candidateCount ? 0 : index + 1;
            }
        } finally {
            cursor = index;
            if (gaps) {
                closeGaps();
            }
        }
        return events.count();
    }

    /** What is ready: 0 for nothing now, less if the entry is to be looked at no more. */
    private int look(EpollEntry entry, boolean beforeSleep) throws PdException {
        if (entry.removed) {
            return NO_CANDIDATE;
        }
        int ready = entry.look();
        if (ready != 0 || (!beforeSleep && ++entry.looksInVain <= MAX_LOOKS_IN_VAIN)) {
            return ready;
        }
        ready = entry.armAndLook();
        return ready == 0 ? NO_CANDIDATE : ready;
    }

    /** Moves the candidates together; the one to be looked at next stays the next. */
    private void closeGaps() {
        int kept = 0;
        int next = 0;
        for (int i = 0; i < candidateCount; i++) {
            next = i == cursor ? kept : next;
            if (candidates[i] != null) {
                candidates[kept++] = candidates[i];
            }
        }
        Arrays.fill(candidates, kept, candidateCount, null);
        candidateCount = kept;
        cursor = next;
    }
}
