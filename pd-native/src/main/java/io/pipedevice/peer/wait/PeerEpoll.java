// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSource;
import io.pipedevice.lib.SpinMode;
import io.pipedevice.linux.Epoll;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.wait.ActiveEntries;
import io.pipedevice.wait.SpinPolicy;
import io.pipedevice.wait.WaitEntry;
import io.pipedevice.wait.WaitSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * Waits for many sockets and listening sockets of the peer placement, level-triggered, as part of a wider wait.
 *
 * <p>It has one bell, which the peers of all its sources ring, each source with its own cookie. While it is awake,
 * peers write the cookies into ready rings instead ({@link ReadySet}).
 *
 * <p>Its owner closes it while no thread waits.
 */
public final class PeerEpoll extends WaitSet {
    private static final int ALL = PdEpoll.IN | PdEpoll.OUT | PdEpoll.ERR | PdEpoll.HUP | PdEpoll.RDHUP;

    /**
     * The number of checks after which a source that is seldom ready before it is armed is armed. It is small because
     * the peer's write to the ready ring costs less than further checks here.
     */
    private static final int LEAST_LOOKS_IN_VAIN = 4;

    private static final long MOST_NS_IN_VAIN = 100_000;

    /** Even an instance that always spins checks the kernel's descriptors and its bell after this time. */
    private static final long HEAR_NS = 50_000;

    /** How many sockets an instance that always spins keeps active, which it checks in memory. */
    private static final int MOST_ALWAYS_ACTIVE = 256;

    /** A rescan pays if at least one in so many sources, given as a shift, is ready. */
    private static final int RESCAN_PAYS_SHIFT = 4;

    /** About so many checks of a socket take a microsecond. */
    private static final int LOOKS_PER_MICRO = 16;

    private final IntConsumer rung = this::rung;
    private final Consumer<PeerEntry> enqueueIfConcerned = this::enqueueIfConcerned;
    private final CookieTable<PeerEntry> table = new CookieTable<>(PeerArmWord.MAX_COOKIE);
    private final Overflows overflows = new Overflows();
    private final ReadySet.Rescan rescan = this::rescan;

    /** Used by the waiting thread, like the fields that follow unless noted. */
    private final ReadySet readySet = new ReadySet(overflows, this::named);

    private final PollerBell bell = new PollerBell();

    /** How many sources the last rescan has checked, and how many of them were ready. */
    private int rescanned;

    private int rescannedReady;
    private long heardNs;
    private long asleepSince;

    /** Whether the next ring is the one that has ended a sleep. */
    private boolean toMeasure;

    /**
     * Opens an empty instance.
     *
     * @throws PdException if descriptors are exhausted
     */
    public PeerEpoll() throws PdException {
        this(SpinMode.inUse());
    }

    PeerEpoll(SpinMode mode) throws PdException {
        this(mode, new ActiveEntries(LEAST_LOOKS_IN_VAIN, MOST_NS_IN_VAIN));
    }

    private PeerEpoll(SpinMode mode, ActiveEntries active) throws PdException {
        super(SpinPolicy.byCost(mode, () -> wakeUpNanos(active)), active, true, ALL);
    }

    private static long wakeUpNanos(ActiveEntries active) {
        return active.count() == 0 ? WakeUpCost.UNMEASURED_NS : active.mostWakeUpNanos();
    }

    @Override
    public boolean serves(PdSource source) {
        return source instanceof PeerSource;
    }

    @Override
    protected WaitEntry newEntry(PdSource source, int events, Object attachment) {
        return new PeerEntry((PeerSource) source, this, events, attachment);
    }

    @Override
    protected boolean admit(WaitEntry added) {
        PeerEntry entry = (PeerEntry) added;
        if (entry.source.waitsEnded()) {
            throw closedSource();
        }
        entry.cookie = table.add(entry);
        if (entry.cookie == CookieTable.FULL) {
            throw new IllegalStateException("this PeerEpoll is full");
        }
        return true;
    }

    @Override
    protected void dismiss(WaitEntry removed) {
        table.remove(((PeerEntry) removed).cookie);
    }

    @Override
    public void join(Epoll wider, long number) throws PdException {
        bell.join(wider, number);
    }

    @Override
    public void part() {
        bell.part();
    }

    /** Collects the armed sources that were named as ready. */
    @Override
    protected void collect(boolean armed) throws PdException {
        if (!armed) {
            return;
        }
        // The bell is drained, which costs a system call, only if some peer has no ready ring.
        if (readySet.hasUnread()) {
            readySet.ask(bell.get());
            happened(0);
        }
        readySet.read();
        readySet.rescan(rescan);
    }

    @Override
    protected int keeps() {
        return spinPolicy().isEndless() ? MOST_ALWAYS_ACTIVE : 0;
    }

    @Override
    public boolean hasQuiet() {
        return active.anyArmed() && readySet.hasUnread();
    }

    @Override
    protected boolean isAnnounced() {
        return readySet.hasEntry();
    }

    @Override
    protected int looksPerClock() {
        return Math.max(1, LOOKS_PER_MICRO / active.count());
    }

    @Override
    protected long longestSpinNanos() {
        return HEAR_NS;
    }

    @Override
    public boolean beforeSleep(PdEvents events) throws PdException {
        boolean measures = spinPolicy().measures();
        asleepSince = measures ? System.nanoTime() : 0;
        boolean maySleep = super.beforeSleep(events);
        toMeasure = maySleep && measures;
        return maySleep;
    }

    @Override
    protected boolean announceSleep() {
        readySet.sleep();
        readySet.read();
        readySet.rescan(rescan);
        return true;
    }

    @Override
    public long mostSleepNanos() {
        return Math.min(super.mostSleepNanos(), readySet.mostSleepNanos());
    }

    @Override
    public void afterSleep() {
        super.afterSleep();
        toMeasure = false;
        readySet.awake();
    }

    @Override
    public void happened(int descriptor) throws PdException {
        heardNs = System.nanoTime();
        Bell heard = bell.get();
        boolean open = heard.drain(rung);
        toMeasure = false;
        if (isAsleep() && spinPolicy().measures() && active.count() > 0) {
            spinPolicy().slept(heardNs - asleepSince);
        }
        if (!open) {
            // A peer has shut the bell down. Every source that is armed with it is checked.
            Bell next = BellPool.take();
            readySet.leave();
            bell.replace(next);
            enqueueAll();
        } else if (heard.wasCrowded() && overflows.happened()) {
            table.forEach(enqueueIfConcerned);
        }
    }

    private void rung(int cookie) {
        PeerEntry entry = table.get(cookie);
        if (entry != null) {
            if (toMeasure) {
                // Later rings found this thread awake.
                toMeasure = false;
                entry.woken(asleepSince, heardNs);
            }
            active.add(entry);
        }
    }

    /** A peer names a socket as ready. Has no effect unless the socket is connected to that peer. */
    private void named(BellLink by, int cookie) {
        PeerEntry entry = table.get(cookie);
        if (entry != null && entry.source.isOf(by)) {
            active.add(entry);
        }
    }

    /**
     * Makes all sources of the links active: entries for them may have been lost, and a peer names a source only once.
     */
    private boolean rescan(List<BellLink> links) {
        rescanned = 0;
        rescannedReady = 0;
        table.forEach(entry -> {
            if (isOfAny(entry.source, links)) {
                rescanned++;
                rescannedReady += entry.look() == 0 ? 0 : 1;
                active.add(entry);
            }
        });
        return rescannedReady >= rescanned >> RESCAN_PAYS_SHIFT;
    }

    private static boolean isOfAny(PeerSource source, List<BellLink> links) {
        for (int i = 0; i < links.size(); i++) {
            if (source.isOf(links.get(i))) {
                return true;
            }
        }
        return false;
    }

    private void enqueueIfConcerned(PeerEntry entry) {
        if (overflows.concern(entry.source)) {
            enqueue(entry);
        }
    }

    @Override
    protected void signal() {
        bell.signal();
    }

    Bell bell() {
        return bell.get();
    }

    /** Notes a source that the waiting thread is about to arm. */
    void note(PeerSource source) {
        readySet.note(source);
    }

    @Override
    protected void release() {
        readySet.leave();
        bell.close();
    }
}
