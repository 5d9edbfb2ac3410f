// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * The selector of a group, which one thread at a time polls, and the tasks for the group's threads.
 *
 * <p>A thread that found a task runs it itself, and polls again after it: while handlers are short, all of them run in
 * one thread, without a wake-up of another. One more thread stands by. It looks every few milliseconds whether the other
 * threads make progress, and polls in their place if they do not. While handlers take long, or many tasks were found at
 * once, it is called before a handler runs.
 *
 * <p>Thread safe.
 */
final class Polling {
    /** A select without a limit. */
    static final long FOREVER = 0;

    /** After so many tasks a thread polls, although there are more: none of them waits for ever. */
    static final int TURN = 16;

    /** Time without progress after which the thread that stands by takes over. */
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** The pause between two looks, when the last ones have found progress. */
    private static final long LONGEST_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(8);

    /** A handler that runs longer may block: many times the wake-up of a thread, which may preempt the handler. */
    private static final long LONG_NS = TimeUnit.MICROSECONDS.toNanos(500);

    /** How many short handlers in turn make handlers count as short again. */
    private static final int SHORT_HANDLERS = 16;

    /** So many tasks of one select are worth the wake-up of another thread. */
    private static final int MANY = 4;

    private final Selector selector;
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    private final Consumer<SelectionKey> found = this::found;

    /** Held by the thread that polls. */
    private final AtomicBoolean taken = new AtomicBoolean();

    /** Whether that thread selects, and so may be asleep. */
    private volatile boolean selecting;

    /** When a thread last began a handler or ended a select. */
    private volatile long movedNs = System.nanoTime();

    /** Handlers count as long while it is above 0. Races between threads do no harm. */
    private volatile int slow;

    /** Held by the thread that stands by; the threads without work wait for it. */
    private final ReentrantLock standBy = new ReentrantLock();

    private volatile Thread standing;

    /** Whether the thread that stands by sleeps until it is woken. */
    private volatile boolean resting;

    /** Whether that thread is to take over at once. */
    private volatile boolean called;

    private volatile boolean over;

    /** The first task of a select, and how many there are. This belongs to the thread that polls. */
    private Runnable first;

    private int count;

    /** Creates it. {@link #end} is called when no thread uses it any more, and closes the selector. */
    Polling(Selector selector) {
        this.selector = selector;
    }

    Selector selector() {
        return selector;
    }

    /** Makes all threads leave, soon. */
    void finish() {
        over = true;
        selector.wakeup();
        LockSupport.unpark(standing);
    }

    /** Whether {@link #finish} was called. */
    boolean isOver() {
        return over;
    }

    /** Adds a task for one of the group's threads. */
    void add(Runnable task) {
        tasks.add(task);
        changed();
    }

    /** Makes the thread that polls see a key whose interest set has changed, or that was cancelled. */
    void changed() {
        if (selecting) {
            selector.wakeup();
        }
    }

    /** Takes a task; null if there is none. */
    Runnable next() {
        return tasks.poll();
    }

    boolean hasTasks() {
        return !tasks.isEmpty();
    }

    /** Forgets the tasks, which no thread will run. */
    void dropTasks() {
        tasks.clear();
    }

    /** Takes the right to poll; whether no other thread has it. */
    boolean tryTake() {
        return !taken.get() && taken.compareAndSet(false, true);
    }

    /**
     * Selects once, by the thread that has the right to poll, and returns the right. The keys that are ready lose the
     * operations from their interest sets, and their slots become tasks.
     *
     * @param millis the longest wait, or {@link #FOREVER}; there is none while there are tasks
     * @return the first task, for the caller; null if there is none
     */
    Runnable poll(long millis) throws IOException {
        first = null;
        count = 0;
        selecting = true;
        try {
            // In this order: a thread that adds a task either is seen here, or wakes the select.
            if (hasTasks()) {
                selector.selectNow(found);
            } else if (!over) {
                selector.select(found, millis);
            }
            return first;
        } finally {
            selecting = false;
            movedNs = System.nanoTime();
            // The next select would not wait. Nothing of the program's runs here that the interrupt could be meant for.
            Thread.interrupted();
            boolean many = count >= MANY;
            taken.set(false);
            if (many) {
                call();
            } else if (resting) {
                LockSupport.unpark(standing);
            }
        }
    }

    private void found(SelectionKey key) {
        try {
            int ops = key.readyOps();
            key.interestOpsAnd(~ops);
            Slots slots = (Slots) key.attachment();
            for (int left = ops; left != 0; left &= left - 1) {
                found(slots.of(Integer.lowestOneBit(left)));
            }
        } catch (CancelledKeyException e) {
            // The close has ended the operations.
            return;
        }
    }

    private void found(Runnable task) {
        count++;
        if (first == null) {
            first = task;
        } else {
            tasks.add(task);
        }
    }

    /** Runs a task. If handlers take long, another thread polls meanwhile. */
    void run(Runnable task) {
        int before = slow;
        if (before > 0) {
            call();
        }
        long begun = System.nanoTime();
        movedNs = begun;
        try {
            task.run();
        } finally {
            if (System.nanoTime() - begun > LONG_NS) {
                slow = SHORT_HANDLERS;
            } else if (before > 0) {
                slow = before - 1;
            }
            // An interrupt of a handler ends with it.
            Thread.interrupted();
        }
    }

    /** Makes the thread that stands by take over now. */
    void call() {
        called = true;
        LockSupport.unpark(standing);
    }

    /**
     * Waits until this thread is to look for tasks, or to poll: it was called, or the other threads make no progress.
     * One thread stands by at a time; the others wait until it leaves.
     */
    void standBy() {
        standBy.lock();
        try {
            standing = Thread.currentThread();
            long pauseNs = LOOK_NS;
            while (!over && !isDue()) {
                rest(pauseNs);
                Thread.interrupted();
                // A look takes a processor from a thread that spins. It pays only while others are stuck.
                pauseNs = Math.min(2 * pauseNs, LONGEST_PAUSE_NS);
            }
            called = false;
        } finally {
            standing = null;
            standBy.unlock();
        }
    }

    private boolean isDue() {
        return called || ((!taken.get() || hasTasks()) && isQuiet());
    }

    private boolean isQuiet() {
        return System.nanoTime() - movedNs >= LOOK_NS;
    }

    private void rest(long pauseNs) {
        if (!selecting || !isQuiet()) {
            LockSupport.parkNanos(this, pauseNs);
            return;
        }
        // The thread that polls is asleep, too, and wakes this one when it ends its select.
        resting = true;
        try {
            if (selecting && !called && !over) {
                LockSupport.park(this);
            }
        } finally {
            resting = false;
        }
    }

    /** Closes the selector, and so forgets its keys. */
    void end() {
        try {
            selector.close();
        } catch (IOException e) {
            // The process has closed its descriptors already, or is about to end.
            return;
        }
    }
}
