// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.select;

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
 * A selector for PipeDevice channels and the JDK's own. Rings that were ready lately are polled in memory; one
 * epoll_wait(2) finds all others, and the kernel's descriptors. While rings are always ready, the kernel's descriptors
 * are polled at every 8th select, or after 50 microseconds. A select returns when a key is ready, and never without a
 * reason.
 *
 * <p>Thread safe, as {@link Selector} says. Locks, in this order: this selector, the selected keys; both are held
 * through a whole select. Registration, changes of the interest set and cancellation need neither, and take effect when
 * the next select begins; a change of a channel's transport takes effect in a select that is in progress.
 */
public final class PdSelector extends AbstractSelector {
    /** The longest sleep of a select before it tries again to watch keys that it could not watch. */
    private static final long UNWATCHED_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private final WakeUp wakeUp = new WakeUp();
    private final Set<SelectionKey> keys = ConcurrentHashMap.newKeySet();
    private final Set<SelectionKey> keysForAll = Collections.unmodifiableSet(keys);

    /** Guarded by its own monitor, which is known to the program. */
    private final SelectedKeys selected = new SelectedKeys();

    /** This and the fields below belong to the thread that holds this selector's monitor. */
    private final SelectRound round;

    private final CompositePoller poller;
    private final KeyWatches watches;
    private final KeyUpdates updates;
    private boolean selecting;

    /**
     * Opens a selector, which its user closes.
     *
     * @param provider the provider that {@link #provider} returns
     * @throws IOException if there is no descriptor for it
     */
    public PdSelector(SelectorProvider provider) throws IOException {
        super(provider);
        // No lambdas: every JVM that opens a selector would link them as it starts.
        round = new SelectRound(new IntFunction<>() {
            @Override
            public PdSelectionKey apply(int descriptor) {
                return watches.of(descriptor);
            }
        });
        KeyQueue transportChanges = new KeyQueue();
        BooleanSupplier pending = new BooleanSupplier() {
            @Override
            public boolean getAsBoolean() {
                return !transportChanges.isEmpty();
            }
        };
        poller = open(wakeUp, pending, round);
        watches = new KeyWatches(poller);
        updates = new KeyUpdates(transportChanges, wakeUp, poller, watches);
    }

    private static CompositePoller open(WakeUp wakeUp, BooleanSupplier pending, SelectRound round) throws IOException {
        try {
            return new CompositePoller(wakeUp, pending, round);
        } catch (IOException e) {
            throw SystemFailure.of(e);
        }
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
            } catch (IOException e) {
                throw SystemFailure.of(e);
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
        // Drop cancelled keys first: others may need their descriptors.
        dropCancelled();
        updates.updateInterests();
        updates.updateTransports();
        while (true) {
            long left = timed ? Math.max(0, timeoutNs - (System.nanoTime() - start)) : timeoutNs;
            find(updates.hasUnwatched() ? Math.min(left, UNWATCHED_NS) : left);
            boolean changed = updates.updateTransports();
            changed |= dropCancelled();
            boolean woken = false;
            if (round.hasReady()) {
                // As with the JDK, a wake-up while actions run ends the next select.
                woken = action != null && wakeUp.answer();
                int updated = round.deliver(selected, action, this);
                if (round.delivered()) {
                    return updated > 0 ? updated : deliverTheRest(action);
                }
            } else if (round.wasVain() && !changed && (updates.hasUnwatched() || !updates.updateInterests())) {
                // As with the JDK: the program waits for an operation that cannot become ready in the channel's state.
                return 0;
            }
            if (left == 0 || woken || wakeUp.isCalled()) {
                return 0;
            }
            round.clear();
            if (updates.hasUnwatched()) {
                updates.updateInterests();
            }
        }
    }

    /**
     * Polls the sources that were not polled yet, because the delivered keys have changed nothing: this select must
     * report them.
     */
    private int deliverTheRest(Consumer<SelectionKey> action) throws IOException {
        round.clear();
        poller.pollTheRest();
        return round.deliver(selected, action, this);
    }

    /** Finds the channels that are ready; waits if there are none and there is time left. */
    private void find(long left) throws IOException {
        int ready = watches.reportBroken(round) + poller.pollRings();
        if (ready > 0) {
            if (poller.isKernelsTurn()) {
                poller.pollKernel();
            }
            return;
        }
        if (left == 0 || wakeUp.isCalled()) {
            poller.pollTheRest();
            return;
        }
        if (poller.maySpin() && (poller.pollKernelIfDue() > 0 || (poller.spin() && poller.pollRings() > 0))) {
            return;
        }
        begin();
        try {
            if (wakeUp.isCalled()) {
                // This thread was interrupted before the select, which still reports the keys that are ready.
                poller.pollTheRest();
            } else {
                poller.sleep(left);
            }
        } finally {
            end();
        }
    }

    /** Removes cancelled keys; whether there were any. */
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
            // Not under that monitor: a thread that registers holds the channel's lock, and may cancel a key.
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
        poller.wake();
        return this;
    }

    @Override
    protected SelectionKey register(AbstractSelectableChannel channel, int ops, Object attachment) {
        if (!(channel instanceof Selectable) && !(channel instanceof SelChImpl)) {
            throw new IllegalSelectorException();
        }
        requireOpen();
        PdSelectionKey key = new PdSelectionKey(this, updates, channel);
        key.attach(attachment);
        if (key.selectable() != null) {
            key.selectable().registered(key);
        }
        keys.add(key);
        // In this order: a close either finds the key, or is seen here.
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
            // Cancelled by another thread, which found it among the keys. As with the JDK, the registration returns it
            // all the same.
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
                    poller.close();
                }
            }
        }
    }
}
