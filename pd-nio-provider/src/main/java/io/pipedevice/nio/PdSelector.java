// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.IllegalSelectorException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectableChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import sun.nio.ch.SelChImpl;

/**
 * A selector for PipeDevice channels and the JDK's own. Rings that were ready lately are polled in memory; all others,
 * and the kernel's descriptors, are found by one epoll_wait(2). While rings are always ready, the kernel's descriptors are
 * looked at every 8th select, or after 50 microseconds. A select returns when a key is ready, and never without a reason.
 *
 * <p>Locks, in this order: this selector, the selected keys; both are held through a whole select. Registering, changes
 * of interest and cancelling need neither, and are taken over when the next select begins; a change of a channel's
 * transport is taken over by a running one.
 */
final class PdSelector extends AbstractSelector {
    /** How long a select sleeps at most before it tries again to watch what it could not. */
    private static final long UNWATCHED_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final WakeUp wakeUp = new WakeUp();
    private final KeyQueue interestChanges = new KeyQueue();
    private final KeyQueue transportChanges = new KeyQueue();
    private final Set<SelectionKey> keys = ConcurrentHashMap.newKeySet();
    private final Set<SelectionKey> keysForAll = Collections.unmodifiableSet(keys);

    /** Guarded by its own monitor, which the program knows. */
    private final SelectedKeys selected = new SelectedKeys();

    /** What follows belongs to the thread that holds this selector's monitor. */
    private final SelectRound round;

    private final WideWait wait;
    private final KeyWatches watches;
    private boolean selecting;

    /** Whether there are keys whose rings cannot be watched at present, for want of descriptors or memory. */
    private boolean unwatched;

    PdSelector(SelectorProvider provider) throws IOException {
        super(provider);
        // No lambdas: every JVM that opens a selector would link them as it starts.
        round = new SelectRound(new IntFunction<>() {
            @Override
            public PdSelectionKey apply(int descriptor) {
                return watches.of(descriptor);
            }
        });
        BooleanSupplier pending = new BooleanSupplier() {
            @Override
            public boolean getAsBoolean() {
                return !transportChanges.isEmpty();
            }
        };
        wait = new WideWait(wakeUp, pending, round);
        watches = new KeyWatches(wait);
    }

    private void requireOpen() {
        if (!isOpen()) {
            throw new ClosedSelectorException();
        }
    }

    @Override
    public Set<SelectionKey> keys() {
        requireOpen();
        return keysForAll;
    }

    @Override
    public Set<SelectionKey> selectedKeys() {
        requireOpen();
        return selected;
    }

    @Override
    public int select() throws IOException {
        return select0(null, Long.MAX_VALUE);
    }

    @Override
    public int select(long timeout) throws IOException {
        return select0(null, nanos(timeout));
    }

    @Override
    public int selectNow() throws IOException {
        return select0(null, 0);
    }

    @Override
    public int select(Consumer<SelectionKey> action) throws IOException {
        return select0(Objects.requireNonNull(action), Long.MAX_VALUE);
    }

    @Override
    public int select(Consumer<SelectionKey> action, long timeout) throws IOException {
        return select0(Objects.requireNonNull(action), nanos(timeout));
    }

    @Override
    public int selectNow(Consumer<SelectionKey> action) throws IOException {
        return select0(Objects.requireNonNull(action), 0);
    }

    private static long nanos(long timeoutMillis) {
        if (timeoutMillis < 0) {
            throw new IllegalArgumentException("Negative timeout");
        }
        return timeoutMillis == 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    }

    private int select0(Consumer<SelectionKey> action, long timeoutNs) throws IOException {
        synchronized (this) {
            requireOpen();
            if (selecting) {
                throw new IllegalStateException("select in progress");
            }
            selecting = true;
            try {
                synchronized (selected) {
                    return selectLocked(action, timeoutNs);
                }
            } finally {
                if (action == null || !round.delivered()) {
                    wakeUp.answer();
                }
                round.clear();
                selecting = false;
            }
        }
    }

    private int selectLocked(Consumer<SelectionKey> action, long timeoutNs) throws IOException {
        boolean timed = timeoutNs != 0 && timeoutNs != Long.MAX_VALUE;
        long start = timed ? System.nanoTime() : 0;
        // What is closed first: its descriptors may be those that lack.
        dropCancelled();
        unwatched = false;
        update(interestChanges);
        update(transportChanges);
        while (true) {
            long left = timed ? Math.max(0, timeoutNs - (System.nanoTime() - start)) : timeoutNs;
            find(unwatched ? Math.min(left, UNWATCHED_NS) : left);
            boolean changed = update(transportChanges);
            changed |= dropCancelled();
            boolean woken = false;
            if (round.hasReady()) {
                // As the JDK: a call while actions run ends the next select.
                woken = action != null && wakeUp.answer();
                int updated = round.deliver(selected, action, this);
                if (round.delivered()) {
                    return updated > 0 ? updated : deliverTheRest(action);
                }
            } else if (round.wasVain() && !changed && (unwatched || !update(interestChanges))) {
                // As the JDK: the program watches for what cannot happen to a channel in its state.
                return 0;
            }
            if (left == 0 || woken || wakeUp.isCalled()) {
                return 0;
            }
            round.clear();
            if (unwatched) {
                unwatched = false;
                update(interestChanges);
            }
        }
    }

    /** Nothing was new of what was at hand, or nobody wants it any more: what is new elsewhere is not left for later. */
    private int deliverTheRest(Consumer<SelectionKey> action) throws IOException {
        round.clear();
        wait.lookAtTheRest();
        return round.deliver(selected, action, this);
    }

    /** Looks for what is ready; waits if nothing is and there is time left. */
    private void find(long left) throws IOException {
        int ready = watches.reportBroken(round) + wait.lookAtRings();
        if (ready > 0) {
            if (wait.isKernelsTurn()) {
                wait.lookAtKernel();
            }
            return;
        }
        if (left == 0 || wakeUp.isCalled()) {
            wait.lookAtTheRest();
            return;
        }
        if (wait.maySpin() && (wait.lookAtKernelIfDue() > 0 || (wait.spin() && wait.lookAtRings() > 0))) {
            return;
        }
        begin();
        try {
            if (wakeUp.isCalled()) {
                // By the interrupt that this thread came with, each time: it still gets what is ready.
                wait.lookAtTheRest();
            } else {
                wait.sleep(left);
            }
        } finally {
            end();
        }
    }

    /** Watches what has changed; whether anything had. */
    private boolean update(KeyQueue changes) throws IOException {
        KeyQueue.Link link = changes.takeAll();
        boolean any = link != null;
        while (link != null) {
            KeyQueue.Link taken = link;
            link = KeyQueue.next(taken);
            if (taken.key.isValid()) {
                update(taken, link, changes);
            }
        }
        return any;
    }

    /** Whoever cannot be watched now is not forgotten, and keeps nobody else from being watched. */
    private void update(KeyQueue.Link taken, KeyQueue.Link following, KeyQueue changes) throws IOException {
        boolean done = false;
        try {
            if (!watches.update(taken.key)) {
                unwatched = true;
                interestChanges.add(taken.key.interestLink);
            }
            done = true;
        } finally {
            if (!done) {
                changes.giveBack(taken, following);
            }
        }
    }

    /** Takes cancelled keys out; whether there were any. */
    private boolean dropCancelled() throws IOException {
        boolean any = false;
        Set<SelectionKey> cancelled = cancelledKeys();
        while (true) {
            PdSelectionKey key;
            synchronized (cancelled) {
                if (cancelled.isEmpty()) {
                    return any;
                }
                Iterator<SelectionKey> first = cancelled.iterator();
                key = (PdSelectionKey) first.next();
                first.remove();
            }
            // Not under that monitor: who registers holds the channel's lock, and may cancel.
            drop(key);
            any = true;
        }
    }

    private void drop(PdSelectionKey key) throws IOException {
        watches.drop(key);
        selected.deselect(key);
        keys.remove(key);
        deregister(key);
        if (key.selectable() != null) {
            key.selectable().deregistered(key);
        } else if (!key.channel().isOpen() && !key.channel().isRegistered()) {
            ((SelChImpl) key.channel()).kill();
        }
    }

    @Override
    public Selector wakeup() {
        wait.call();
        return this;
    }

    /** A key's interest is another one. Any thread. */
    void interestChanged(PdSelectionKey key) {
        interestChanges.add(key.interestLink);
    }

    /** A key's channel has another transport, which a running select has to watch. Any thread. */
    void transportChanged(PdSelectionKey key) {
        if (transportChanges.add(key.transportLink, wakeUp)) {
            wait.signal();
        }
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
        if (!(channel instanceof Selectable) && !(channel instanceof SelChImpl)) {
            throw new IllegalSelectorException();
        }
        requireOpen();
        PdSelectionKey key = new PdSelectionKey(this, channel);
        key.attach(attachment);
        if (key.selectable() != null) {
            key.selectable().registered(key);
        }
        keys.add(key);
        // In this order: close either finds the key, or is seen here.
        if (!isOpen()) {
            keys.remove(key);
            key.cancel();
            if (key.selectable() != null) {
                key.selectable().deregistered(key);
            }
            throw new ClosedSelectorException();
        }
        try {
            key.interestOps(ops);
        } catch (CancelledKeyException e) {
            // By another thread, which found it among the keys. As the JDK, whoever registers gets it all the same.
            return key;
        }
        return key;
    }

    @Override
    protected void implCloseSelector() throws IOException {
        wakeup();
        synchronized (this) {
            synchronized (selected) {
                try {
                    for (SelectionKey key : keys) {
                        drop((PdSelectionKey) key);
                    }
                } finally {
                    wait.close();
                }
            }
        }
    }
}
