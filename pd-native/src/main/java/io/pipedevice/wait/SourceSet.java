// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.wait;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSource;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;

/**
 * The sources of a {@link WaitSet}, and the operations that any thread may perform on them, also during a wait. A
 * source that is closed is removed. Any thread may call each method, except where its comment says otherwise.
 */
public abstract class SourceSet implements AutoCloseable {
    private final int allowed;
    private final EntryQueue queue = new EntryQueue();

    /** Guarded by its own monitor. */
    private final IdentityHashMap<PdSource, WaitEntry> entries = new IdentityHashMap<>();

    /** The number of entries. Written under the monitor of the entries; any thread reads it. */
    private volatile int watched;

    /** Written under the monitor of the entries; any thread reads it. */
    private volatile boolean closed;

    /** Whether the waiting thread sleeps or is about to. Written by the waiting thread; any thread reads it. */
    private volatile boolean asleep;

    /**
     * Creates an empty set.
     *
     * @param allowed the events that a source can be watched for
     */
    SourceSet(int allowed) {
        this.allowed = allowed;
    }

    /**
     * Whether a source can be added to this set. Any thread.
     *
     * @param source of any placement
     * @return whether its placement, and its attachment to a driver, are those of this set
     */
    public abstract boolean serves(PdSource source);

    /**
     * Makes the entry of a source. Any thread.
     *
     * @param source that this set {@linkplain #serves serves}
     * @param events the events that it is watched for
     * @param attachment comes with its events, may be null
     * @return the entry, which is in no set or queue yet
     */
    protected abstract WaitEntry newEntry(PdSource source, int events, Object attachment);

    /**
     * Admits an entry that is about to be added. Called under the monitor of the entries.
     *
     * @param entry whose source is open
     * @return false if {@link #prepare} must be called first
     * @throws IllegalStateException if the source is closed, or this instance is full
     */
    protected abstract boolean admit(WaitEntry entry);

    /**
     * Opens the descriptors without which an entry was not admitted. Any thread.
     *
     * @throws PdException if there are no descriptors
     */
    protected void prepare() throws PdException {}

    /**
     * Called when an admitted entry was removed, under the monitor of the entries.
     *
     * @param entry that was removed
     */
    protected void dismiss(WaitEntry entry) {}

    /** Wakes the waiting thread, or the next one. Any thread. */
    protected abstract void signal();

    /** Frees the resources of this instance, which is empty and closed. */
    protected abstract void release();

    /**
     * Adds a source. If it is ready already, the next look reports it.
     *
     * @param source that this instance {@linkplain #serves serves}
     * @param events {@link io.pipedevice.lib.PdEpoll} bits, or-ed
     * @param attachment comes with its events, may be null
     * @throws IllegalStateException if the source is closed or is in this instance already
     * @throws PdException if a descriptor that this needs cannot be had
     */
    public final void add(PdSource source, int events, Object attachment) throws PdException {
        check(events);
        if (!serves(source)) {
            throw new IllegalArgumentException("foreign socket: it does not belong here");
        }
        WaitEntry entry = newEntry(source, events, attachment);
        while (!enter(entry)) {
            prepare();
        }
        if (!source.isOpen()) {
            forget(entry);
            throw closedSource();
        }
        enqueue(entry);
    }

    private boolean enter(WaitEntry entry) {
        synchronized (entries) {
            requireOpen();
            if (!entry.source.isOpen()) {
                throw closedSource();
            }
            if (entries.containsKey(entry.source)) {
                throw new IllegalStateException(entry.source + " is in this instance already");
            }
            if (!admit(entry)) {
                return false;
            }
            entries.put(entry.source, entry);
            watched = entries.size();
            return true;
        }
    }

    /**
     * The exception for an attempt to add a closed source.
     *
     * @return the exception
     */
    protected static IllegalStateException closedSource() {
        return new IllegalStateException("add of a closed socket");
    }

    /**
     * Changes the events that a source is watched for, and makes its present readiness an edge again.
     *
     * @param source that was added
     * @param events as for {@link #add}
     * @throws IllegalStateException if the source is not in this instance
     */
    public final void modify(PdSource source, int events) {
        check(events);
        WaitEntry entry = entry(source);
        if (entry == null) {
            throw new IllegalStateException(source + " is not in this instance");
        }
        entry.interest(events);
        enqueue(entry);
    }

    /**
     * Removes a source if it is in this instance. A look that has just found it ready may still report it.
     *
     * @param source in any state
     * @return whether it was in this instance
     */
    public final boolean discard(PdSource source) {
        WaitEntry entry = entry(source);
        if (entry != null) {
            discard(entry);
        }
        return entry != null;
    }

    /**
     * Removes an entry, if it is in this instance. Any thread.
     *
     * @param entry of this instance
     */
    public final void discard(WaitEntry entry) {
        forget(entry);
        // The waiting thread removes it from the active entries.
        enqueue(entry);
    }

    /** Removes an entry, if it is in this instance. Any thread. */
    final void forget(WaitEntry entry) {
        entry.remove();
        synchronized (entries) {
            if (entries.remove(entry.source, entry)) {
                dismiss(entry);
                watched = entries.size();
            }
        }
    }

    private WaitEntry entry(PdSource source) {
        synchronized (entries) {
            return entries.get(source);
        }
    }

    /**
     * Asks for a look at a source. Any thread.
     *
     * @param entry of this instance
     */
    public final void enqueue(WaitEntry entry) {
        if (queue.add(entry) && asleep) {
            signal();
        }
    }

    /** Asks for a look at every source. Any thread. */
    protected final void enqueueAll() {
        synchronized (entries) {
            entries.values().forEach(this::enqueue);
        }
    }

    /** The entries that the waiting thread is to look at. */
    final EntryQueue queue() {
        return queue;
    }

    /**
     * The number of sources. Any thread.
     *
     * @return 0 or more
     */
    protected final int watched() {
        return watched;
    }

    /** Records that the waiting thread sleeps from now on, or no longer. Called by that thread. */
    final void asleep(boolean now) {
        asleep = now;
    }

    /**
     * Whether the waiting thread sleeps or is about to. Any thread.
     *
     * @return false if there is no need to {@link #signal} it
     */
    protected final boolean isAsleep() {
        return asleep;
    }

    /**
     * Whether this instance is open. Any thread.
     *
     * @return false from the beginning of {@link #close} on
     */
    public final boolean isOpen() {
        return !closed;
    }

    /** Fails if this instance is closed. */
    protected final void requireOpen() {
        if (closed) {
            throw new IllegalStateException("this instance is closed");
        }
    }

    private void check(int events) {
        if ((events & ~allowed) != 0) {
            throw new IllegalArgumentException("unknown events 0x" + Integer.toHexString(events & ~allowed));
        }
    }

    /** Removes every source; the sources stay open. */
    @Override
    public final void close() {
        List<WaitEntry> left;
        synchronized (entries) {
            if (closed) {
                return;
            }
            closed = true;
            left = new ArrayList<>(entries.values());
        }
        left.forEach(this::forget);
        release();
    }
}
