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
 * The ready rings of all links whose peers ring one poller's bell: what a poller that is awake reads instead of its bell.
 * Reading costs time that grows with the number of links and of ready sockets, not with the number of sockets. Belongs to
 * the poller's thread.
 */
final class ReadySet {
    /** Most links whose rings are read; the others ring the bell. */
    private static final int MOST_LINKS = 256;

    /** A link without a ring is asked for one again after this time: its peer has to read of the bell first. */
    private static final long ASK_NS = TimeUnit.MICROSECONDS.toNanos(50);

    /**
     * When entries were lost, all sockets of their links are looked at. A peer that reports losses while hardly a socket is
     * ready makes this take one in so many parts of the poller's time.
     */
    private static final int RESCAN_PART = 10;

    /** Looks at all sockets of links. */
    interface Rescan {
        /**
         * Looks at them.
         *
         * @return whether enough of them were ready for losses to be likely
         */
        boolean pays(List<BellLink> links);
    }

    private final ReadyReader.Sink sink;
    private final Consumer<BellLink> noteLink = this::note;
    private final Overflows overflows;

    /** All links of sources that were armed, until they break. */
    private final Set<BellLink> links = Collections.newSetFromMap(new IdentityHashMap<>());

    private final List<ReadyReader> readers = new ArrayList<>();

    /** Links that ring the bell alone, in the order in which they are asked. */
    private final List<BellLink> unread = new ArrayList<>();

    /** Links that have lost entries since the last rescan. */
    private final List<BellLink> lossy = new ArrayList<>();

    private BellLink lastNoted;
    private long askedNs = System.nanoTime() - ASK_NS;
    private long nextRescanNs = System.nanoTime();
    private boolean asleep;

    /**
     * An empty set.
     *
     * @param overflows is told of each link once
     * @param sink gets what is ready; from another process, unchecked
     */
    ReadySet(Overflows overflows, ReadyReader.Sink sink) {
        this.overflows = overflows;
        this.sink = sink;
    }

    /** A source is going to be armed. */
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

    /** Whether there are links that ring the bell also while the poller is awake. */
    boolean hasUnread() {
        return !unread.isEmpty();
    }

    /** Whether the next {@link #read} is likely to find something. */
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

    /** Hands what the peers have named as ready to the sink. */
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

    /** Whether a link has ended, whose memory was just not there. */
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

    /** How long the poller may sleep at most. */
    long mostSleepNanos() {
        return lossy.isEmpty() ? Long.MAX_VALUE : Math.max(1, nextRescanNs - System.nanoTime());
    }

    /** Has all sockets looked at of links that have lost entries, if there are any and it is time. */
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
     * Asks links that ring the bell alone whether their peers have a ready ring by now. Afterwards the bell must be heard, as
     * it may have been rung before that; a peer that rings it later sees that the ring is read, and tells it there, too.
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

    /** The poller is going to sleep: from now on its bell is rung, too. It reads once more before it does. */
    void sleep() {
        asleep = true;
        forEachReader(ReadyReader::asleep);
        VarHandle.fullFence();
    }

    /** The poller does not sleep any more. */
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

    /** Reads no ring any more, as the bell is another's from now on. */
    void leave() {
        forEachReader(ReadyReader::leave);
        readers.clear();
        unread.clear();
        unread.addAll(links);
    }
}
