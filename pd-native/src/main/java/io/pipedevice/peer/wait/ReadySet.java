// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The ready rings of all links whose peers ring one poller's bell. An awake poller reads them instead of its bell. The
 * time of a read grows with the number of links and of ready sockets, not with the number of all sockets. Used by the
 * poller's thread.
 */
final class ReadySet {
    /** The most links whose rings are read; the peers of further links ring the bell. */
    private static final int MOST_LINKS = 256;

    /**
     * The time after which a link without a ring is asked again: its peer has to read the bell's announcement first.
     */
    private static final long ASK_NS = TimeUnit.MICROSECONDS.toNanos(50);

    /**
     * When entries were lost, all sockets of their links are rescanned. If a peer reports losses while hardly any
     * socket is ready, rescans take at most about one in so many parts of the poller's time.
     */
    private static final int RESCAN_PART = 10;

    /** Checks all sockets of links. */
    interface Rescan {
        /**
         * Checks all sockets of the links.
         *
         * @return whether so many of them were ready that losses are likely
         */
        boolean pays(List<BellLink> links);
    }

    private final ReadyReader.Sink sink;
    private final Consumer<BellLink> noteLink = this::note;
    private final Overflows overflows;

    /** All links of sources that were armed, until they break. */
    private final Set<BellLink> links = Collections.newSetFromMap(new IdentityHashMap<>());

    private final List<ReadyReader> readers = new ArrayList<>();

    /** Links whose peers only ring the bell, in the order in which they are asked for a ring. */
    private final List<BellLink> unread = new ArrayList<>();

    /** Links that have lost entries since the last rescan. */
    private final List<BellLink> lossy = new ArrayList<>();

    private BellLink lastNoted;
    private long askedNs = System.nanoTime() - ASK_NS;
    private long nextRescanNs = System.nanoTime();
    private boolean asleep;

    /**
     * Creates an empty set.
     *
     * @param overflows gets each link once
     * @param sink gets the cookies, which another process has written, unchecked
     */
    ReadySet(Overflows overflows, ReadyReader.Sink sink) {
        this.overflows = overflows;
        this.sink = sink;
    }

    /** Notes a source that is about to be armed. */
    void note(PeerSource source) {
        source.forEachLink(noteLink);
    }

    private void note(BellLink link) {
        if (!link.equals(lastNoted)) {
            lastNoted = link;
            if (links.add(link)) {
                overflows.note(link);
                unread.add(link);
            }
        }
    }

    /** Whether the peers of some links ring the bell even while the poller is awake. */
    boolean hasUnread() {
        return !unread.isEmpty();
    }

    /** Whether the next {@link #read} is likely to find an entry, or a rescan is due. */
    boolean hasEntry() {
        for (int i = 0; i < readers.size(); i++) {
            if (hasEntry(readers.get(i))) {
                return true;
            }
        }
        return isRescanDue();
    }

    private static boolean hasEntry(ReadyReader reader) {
        try {
            return reader.hasEntry();
        } catch (IllegalStateException e) {
            return isBroken(reader.link, e);
        }
    }

    /** Passes the cookies that peers have written to the sink. */
    void read() {
        for (int i = readers.size() - 1; i >= 0; i--) {
            ReadyReader reader = readers.get(i);
            try {
                if (!reader.read(sink) && !lossy.contains(reader.link)) {
                    lossy.add(reader.link);
                }
                if (reader.link.isBroken()) {
                    drop(i);
                }
            } catch (IllegalStateException e) {
                isBroken(reader.link, e);
                drop(i);
            }
        }
    }

    /** True if the link is broken, which explains the failed access to its memory; else rethrows the exception. */
    private static boolean isBroken(BellLink link, IllegalStateException e) {
        if (!link.isBroken()) {
            throw e;
        }
        return true;
    }

    private void drop(int index) {
        ReadyReader dropped = readers.remove(index);
        links.remove(dropped.link);
        lossy.remove(dropped.link);
        lastNoted = null;
    }

    private boolean isRescanDue() {
        return !lossy.isEmpty() && System.nanoTime() - nextRescanNs >= 0;
    }

    /** The longest time that the poller may sleep. */
    long mostSleepNanos() {
        return lossy.isEmpty() ? Long.MAX_VALUE : Math.max(1, nextRescanNs - System.nanoTime());
    }

    /** Has all sockets of links with lost entries checked, if a rescan is due. */
    void rescan(Rescan rescan) {
        if (isRescanDue()) {
            long start = System.nanoTime();
            boolean pays = rescan.pays(lossy);
            lossy.clear();
            long end = System.nanoTime();
            nextRescanNs = pays ? end : end + (end - start) * RESCAN_PART;
        }
    }

    /**
     * Asks the links whose peers only ring the bell whether there is a ready ring by now. Afterwards the bell must be
     * drained, because a peer may have rung it before. A peer that rings it later sees that the ring is read, and
     * writes an entry too.
     */
    void ask(Bell bell) {
        long now = System.nanoTime();
        if (now - askedNs < ASK_NS) {
            return;
        }
        askedNs = now;
        for (Iterator<BellLink> each = unread.iterator(); each.hasNext(); ) {
            BellLink link = each.next();
            if (link.isBroken()) {
                links.remove(link);
                lastNoted = null;
                each.remove();
            } else if (readers.size() < MOST_LINKS) {
                ReadyReader reader = link.readyReader(bell);
                if (reader != null) {
                    each.remove();
                    enter(reader);
                }
            }
        }
        VarHandle.fullFence();
    }

    /** Reads a ready ring from now on. */
    void enter(ReadyReader reader) {
        try {
            reader.awake();
            readers.add(reader);
        } catch (IllegalStateException e) {
            isBroken(reader.link, e);
            links.remove(reader.link);
            lastNoted = null;
        }
    }

    /**
     * Announces the poller's sleep: from now on peers ring its bell too. The poller reads the rings once more before it
     * sleeps.
     */
    void sleep() {
        asleep = true;
        forEachReader(ReadyReader::asleep);
        VarHandle.fullFence();
    }

    /** Announces that the poller does not sleep any more. */
    void awake() {
        if (asleep) {
            asleep = false;
            forEachReader(ReadyReader::awake);
        }
    }

    private void forEachReader(Consumer<ReadyReader> call) {
        for (int i = readers.size() - 1; i >= 0; i--) {
            try {
                call.accept(readers.get(i));
            } catch (IllegalStateException e) {
                isBroken(readers.get(i).link, e);
                drop(i);
            }
        }
    }

    /** Stops reading the rings, because the bell is about to get another owner. */
    void leave() {
        forEachReader(ReadyReader::leave);
        readers.clear();
        unread.clear();
        unread.addAll(links);
    }
}
