// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.Epoll;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.wait.ActiveEntries;
import io.pipedevice.wait.BlockingWait;
import io.pipedevice.wait.EntryQueue;
import io.pipedevice.wait.SpinMode;
import io.pipedevice.wait.SpinPolicy;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * Waits for many sockets and listening sockets at once, with the bits and the meaning of epoll(7), level-triggered. It is
 * part of a wider wait, which is one epoll_wait(2) of the caller's: each round of the caller's begins with {@link #look}.
 * Where there is nothing it calls {@link #beforeSleep}, waits for its own set if that says so, reports with
 * {@link #happened} that it found this instance's descriptor, and calls {@link #afterSleep}.
 *
 * <p>The cost of a wait grows with the number of sockets that are busy, not with the number that were added: sockets that
 * were ready lately are looked at in memory, for the others their peers ring a bell.
 *
 * <p>{@link #add}, {@link #modify} and {@link #discard} are for any thread, also during a wait; the rest is for one thread
 * at a time. A socket that is closed leaves by itself. Closed by whoever opened it, when nobody waits.
 */
public final class PeerEpoll implements AutoCloseable {
    private static final int ALL = PdEpoll.IN | PdEpoll.OUT | PdEpoll.ERR | PdEpoll.HUP | PdEpoll.RDHUP;

    /**
     * A source that is seldom ready before it is armed is armed after so few looks, because to name it as ready costs its
     * peer less than the looks cost here.
     */
    private static final int LEAST_LOOKS_IN_VAIN = 4;

    private static final long MOST_NS_IN_VAIN = 100_000;

    /** The bell is heard after this time also while sockets are always ready in memory. */
    private static final long HEAR_NS = 50_000;

    /** Who always spins keeps so many sockets to be looked at in memory. */
    private static final int MOST_ALWAYS_HOT = 256;

    /** A rescan pays if one source of so many, as a shift, is ready. */
    private static final int RESCAN_PAYS_SHIFT = 4;

    /** So many looks at a socket take about a microsecond. */
    private static final int LOOKS_PER_MICRO = 16;

    private final SpinPolicy spin;
    private final SpinPolicy.Look news = new News();
    private final IntConsumer rung = this::rung;
    private final Consumer<PeerEntry> enqueue = this::enqueue;
    private final Consumer<PeerEntry> enqueueIfConcerned = this::enqueueIfConcerned;
    private final CookieTable<PeerEntry> table = new CookieTable<>(PeerArmWord.MAX_COOKIE);
    private final EntryQueue queue = new EntryQueue();
    private final Overflows overflows = new Overflows();
    private final ReadySet.Rescan rescan = this::rescan;

    /** Under its own monitor. */
    private final IdentityHashMap<PdSource, PeerEntry> entries = new IdentityHashMap<>();

    /** The waiting thread's, as what follows without another word. */
    private final ActiveEntries hot = new ActiveEntries(LEAST_LOOKS_IN_VAIN, MOST_NS_IN_VAIN);

    private final ReadySet readySet = new ReadySet(overflows, this::named);

    /** What wakes the waiting thread; another if a peer has ended it. Any thread reads it. */
    private volatile Bell bell;

    /** Any thread reads it. */
    private volatile boolean asleep;

    /** Changed under the monitor of the entries; any thread reads it. */
    private volatile boolean closed;

    /** How many entries there are; as {@link #closed}. */
    private volatile int watched;

    /** Of the last rescan: how many sources were looked at, and how many of them were ready. */
    private int rescanned;

    private int rescannedReady;
    private BooleanSupplier other;
    private Epoll set;
    private long data;
    private long heardNs;
    private long asleepSince;

    /** Whether the next ring is the one that ends a sleep. */
    private boolean toMeasure;

    /**
     * Opens an empty instance.
     *
     * @throws PdException if there are no descriptors
     */
    public PeerEpoll() throws PdException {
        this(SpinMode.inUse());
    }

    PeerEpoll(SpinMode mode) throws PdException {
        spin = SpinPolicy.byCost(mode, this::wakeUpNanos);
        bell = BellPool.take();
    }

    private long wakeUpNanos() {
        return hot.count() == 0 ? WakeUpCost.UNMEASURED_NS : hot.mostWakeUpNanos();
    }

    /**
     * Adds a socket or listening socket; what is ready already is reported by the next look.
     *
     * @param source of the peer placement
     * @param events {@link PdEpoll#IN}, {@link PdEpoll#OUT}, {@link PdEpoll#RDHUP}, or-ed
     * @param attachment comes with its events, may be null
     * @throws IllegalStateException if the source is closed or is in this instance already
     */
    public void add(PdSource source, int events, Object attachment) {
        check(events);
        PeerEntry entry = new PeerEntry((PeerSource) source, this, events, attachment);
        synchronized (entries) {
            if (closed) {
                throw new IllegalStateException("this PeerEpoll is closed");
            }
            if (!source.isOpen() || entry.source.waitsEnded()) {
                throw new IllegalStateException("add of a closed socket");
            }
            if (entries.containsKey(source)) {
                throw new IllegalStateException(source + " is in this PeerEpoll already");
            }
            entry.cookie = table.add(entry);
            if (entry.cookie == CookieTable.FULL) {
                throw new IllegalStateException("this PeerEpoll is full");
            }
            entries.put(source, entry);
            watched = entries.size();
        }
        enqueue(entry);
    }

    /**
     * Changes what a source is watched for.
     *
     * @param source that was added
     * @param events as for {@link #add}
     * @throws IllegalStateException if the source is not in this instance
     */
    public void modify(PdSource source, int events) {
        check(events);
        PeerEntry entry;
        synchronized (entries) {
            entry = entries.get(source);
        }
        if (entry == null) {
            throw new IllegalStateException(source + " is not in this PeerEpoll");
        }
        entry.interest(events);
        enqueue(entry);
    }

    /**
     * Removes a source if it is in this instance. A look that has just found it may still report it.
     *
     * @param source in any state
     * @return whether it was
     */
    public boolean discard(PdSource source) {
        PeerEntry entry;
        synchronized (entries) {
            entry = entries.get(source);
        }
        if (entry != null) {
            forget(entry);
            // Its place among the hot ones is given up by the waiting thread.
            enqueue(entry);
        }
        return entry != null;
    }

    /** Takes an entry out, if it is in. Any thread. */
    void forget(PeerEntry entry) {
        entry.remove();
        synchronized (entries) {
            if (entries.remove(entry.source, entry)) {
                table.remove(entry.cookie);
                watched = entries.size();
            }
        }
    }

    /**
     * Makes this instance part of a wider wait.
     *
     * @param wider what the caller waits for; one descriptor is added
     * @param number reported with it
     * @throws PdException if the set takes no more descriptors
     */
    public void join(Epoll wider, long number) throws PdException {
        set = wider;
        data = number;
        try {
            wider.add(bell.ear(), Epoll.IN, number);
        } catch (LinuxException e) {
            throw new PdException(e.errno(), "cannot be part of a wider wait");
        }
    }

    /**
     * Looks for ready sources, in memory.
     *
     * @param events receives what was found; cleared first
     * @return how many sources have events
     * @throws PdException if one that is quiet cannot be watched for want of descriptors
     */
    public int look(PdEvents events) throws PdException {
        events.clear();
        if (watched > hot.count()) {
            read();
        }
        queue.drainTo(hot);
        return hot.scan(events, false, keeps());
    }

    /** Finds out which of those that are not hot were named as ready. */
    private void read() throws PdException {
        // A bell is heard, which costs a system call, only for peers that have no ready ring.
        if (readySet.hasUnread()) {
            readySet.ask(bell);
            happened();
        }
        readySet.read();
        readySet.rescan(rescan);
    }

    private int keeps() {
        return spin.isEndless() ? MOST_ALWAYS_HOT : 0;
    }

    /**
     * Whether a look in memory does not find out about every source.
     *
     * @return whether there are some of which only this instance's descriptor tells
     */
    public boolean hasQuiet() {
        return watched > hot.count() && readySet.hasUnread();
    }

    /**
     * Whether the next look is likely to find something.
     *
     * @return whether there was news
     */
    public boolean hasNews() {
        return !queue.isEmpty() || hot.anyReady() || readySet.hasEntry();
    }

    /**
     * Whether a source was active since the last sleep, so that it is worth while to {@link #spin}.
     *
     * @return whether there are sources that are looked at in memory
     */
    public boolean wasActive() {
        return hot.count() > 0;
    }

    /**
     * Looks for news for as long as that is likely to pay, if a source was active since the last sleep.
     *
     * @param orElse something else to look at, in memory
     * @return whether there was news, of this instance or of something else
     */
    public boolean spin(BooleanSupplier orElse) {
        if (!wasActive()) {
            return false;
        }
        other = orElse;
        // Even who spins always looks at the kernel's descriptors, and hears its bell, now and then.
        return spin.spin(news, Math.max(1, LOOKS_PER_MICRO / hot.count()), HEAR_NS);
    }

    private final class News implements SpinPolicy.Look {
        @Override
        public boolean isReady() {
            return hasNews() || other.getAsBoolean();
        }

        @Override
        public boolean sharesProcessor() {
            return hot.shareProcessor();
        }
    }

    /**
     * Announces that the caller is going to sleep, and looks once more.
     *
     * @param events receives what was found; cleared first
     * @return whether the caller may sleep, for {@link #mostSleepNanos()} at most: there is no news, and it is not to spin
     *     always
     * @throws PdException if a source cannot be watched for want of descriptors
     */
    public boolean beforeSleep(PdEvents events) throws PdException {
        events.clear();
        asleep = true;
        asleepSince = spin.measures() ? System.nanoTime() : 0;
        boolean quiet = hot.scan(events, true, keeps()) == 0 && hot.count() == hot.unheard() && queue.isEmpty();
        if (quiet) {
            readySet.sleep();
            readySet.read();
            readySet.rescan(rescan);
            // What was named is hot now, and is looked at next.
            quiet = hot.count() == hot.unheard() && queue.isEmpty();
        }
        toMeasure = quiet && spin.measures();
        return quiet;
    }

    /**
     * How long the caller may sleep after {@link #beforeSleep} has allowed it.
     *
     * @return nanoseconds; {@link Long#MAX_VALUE} for ever, less if the peer of a source cannot be told whom to wake
     */
    public long mostSleepNanos() {
        return Math.min(hot.count() == 0 ? Long.MAX_VALUE : BlockingWait.UNHEARD_NS, readySet.mostSleepNanos());
    }

    /** Ends what {@link #beforeSleep} began. */
    public void afterSleep() {
        asleep = false;
        toMeasure = false;
        readySet.awake();
    }

    /**
     * Tells that the caller's wait found this instance's descriptor.
     *
     * @throws PdException if a peer has ended the bell, and there are no descriptors for another
     */
    public void happened() throws PdException {
        heardNs = System.nanoTime();
        Bell heard = bell;
        boolean open = heard.drain(rung);
        toMeasure = false;
        if (asleep && spin.measures() && hot.count() > 0) {
            spin.slept(heardNs - asleepSince);
        }
        if (!open) {
            replace(heard);
        }
        if (!open) {
            table.forEach(enqueue);
        } else if (heard.wasCrowded() && overflows.happened()) {
            table.forEach(enqueueIfConcerned);
        }
    }

    private void rung(int cookie) {
        PeerEntry entry = table.get(cookie);
        if (entry != null) {
            if (toMeasure) {
                // Whatever rang later found this thread awake.
                toMeasure = false;
                entry.woken(asleepSince, heardNs);
            }
            hot.add(entry);
        }
    }

    /** A peer names a socket as ready: one of its own, or it has no say. */
    private void named(RingLink by, int cookie) {
        PeerEntry entry = table.get(cookie);
        if (entry != null && entry.source.isOf(by)) {
            hot.add(entry);
        }
    }

    /** All of them may have been told of in vain, and nobody tells twice: they are hot from now on. */
    private boolean rescan(List<RingLink> links) {
        rescanned = 0;
        rescannedReady = 0;
        table.forEach(entry -> {
            if (isOfAny(entry.source, links)) {
                rescanned++;
                rescannedReady += entry.look() == 0 ? 0 : 1;
                hot.add(entry);
            }
        });
        return rescannedReady >= rescanned >> RESCAN_PAYS_SHIFT;
    }

    private static boolean isOfAny(PeerSource source, List<RingLink> links) {
        for (int i = 0; i < links.size(); i++) {
            if (source.isOf(links.get(i))) {
                return true;
            }
        }
        return false;
    }

    /** A peer has ended the bell. Whoever armed with it is looked at. */
    private void replace(Bell ended) throws PdException {
        Bell next = BellPool.take();
        readySet.leave();
        bell = next;
        leave(ended);
        BellPool.discard(ended);
        if (set != null) {
            join(set, data);
        }
    }

    private void leave(Bell joined) {
        if (set != null) {
            try {
                set.remove(joined.ear());
            } catch (LinuxException e) {
                // Never in it, or the set is closed: not in it now.
                return;
            }
        }
    }

    /** Asks for a look at a source. Any thread. */
    void enqueue(PeerEntry entry) {
        if (queue.add(entry) && asleep) {
            bell.signal();
        }
    }

    private void enqueueIfConcerned(PeerEntry entry) {
        if (overflows.concern(entry.source)) {
            enqueue(entry);
        }
    }

    Bell bell() {
        return bell;
    }

    /** A source is going to be armed by the waiting thread. */
    void note(PeerSource source) {
        readySet.note(source);
    }

    private static void check(int events) {
        if ((events & ~ALL) != 0) {
            throw new IllegalArgumentException("unknown events 0x" + Integer.toHexString(events & ~ALL));
        }
    }

    /** Takes every source out; they stay open. */
    @Override
    public void close() {
        synchronized (entries) {
            if (closed) {
                return;
            }
            closed = true;
        }
        table.forEach(this::forget);
        readySet.leave();
        leave(bell);
        BellPool.give(bell);
    }
}
