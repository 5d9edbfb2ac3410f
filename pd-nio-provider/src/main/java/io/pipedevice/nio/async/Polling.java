// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;

/**
 * The selector of a group, which one thread at a time polls, and the tasks for the group's threads.
 *
 * <p>A thread that found a task runs it itself, and polls again after it: while handlers are short, all of them run in
 * one thread, without a wake-up of another. One more thread {@linkplain StandBy stands by}. While handlers take long, or
 * many tasks were found at once, it is called before a handler runs.
 *
 * <p>Thread safe.
 */
final class Polling {
    /** A select without a limit. */
    static final long FOREVER = 0;

    /** After so many tasks a thread polls, although there are more: none of them waits for ever. */
    static final int TURN = 16;

    /** Time without progress after which the thread that stands by takes over. */
    static final long QUIET_NS = TimeUnit.MILLISECONDS.toNanos(1);

    /** A handler that runs longer may block: many times the wake-up of a thread, which may preempt the handler. */
    private static final long LONG_NS = TimeUnit.MICROSECONDS.toNanos(500);

    /** How many short handlers in turn make handlers count as short again. */
    private static final int SHORT_HANDLERS = 16;

    /**
     * The same after a handler that has waited for another thread. Such programs wait again, and each wait costs
     * milliseconds while handlers count as short.
     */
    private static final int WAITED_HANDLERS = 4096;

    /** So many tasks of one select are worth the wake-up of another thread. */
    private static final int MANY = 4;

    private final Selector selector;

    /** Completed operations whose handlers are to be called, and slots of operations that have handlers. */
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** Slots that a select has found ready. */
    private final Queue<Slot> ready = new ConcurrentLinkedQueue<>();

    private final Consumer<SelectionKey> found = this::found;

    /** Held by the thread that polls. */
    private final AtomicBoolean taken = new AtomicBoolean();

    /** Whether that thread selects, and so may be asleep. */
    private volatile boolean selecting;

    /** When a thread last began a handler or ended a select. */
    private volatile long movedNs = System.nanoTime();

    /** Handlers count as long while it is above 0. Races between threads do no harm. */
    private volatile int slow;

    /** The thread that has begun a handler last; null if that handler has ended. */
    private volatile Thread running;

    private final StandBy standBy = new StandBy(this);

    /** Null if every thread of the group polls. */
    private volatile HandOff handOff;

    private volatile boolean over;

    /** Whether a thread outside the group polls, or has done so a moment ago: those of the group leave it to that. */
    private volatile boolean lent;

    /** The first slot of a select, and how many there are. This belongs to the thread that polls. */
    private Slot first;

    private int count;

    /** Creates it. {@link #end} is called when no thread uses it any more, and closes the selector. */
    Polling(Selector selector) {
        this.selector = selector;
    }

    Selector selector() {
        return selector;
    }

    /** Sets what runs the tasks, before the first one is added. */
    void handOffTo(HandOff other) {
        handOff = other;
    }

    /** Makes all threads leave, soon. */
    void finish() {
        over = true;
        selector.wakeup();
        standBy.wake();
    }

    /** Whether {@link #finish} was called. */
    boolean isOver() {
        return over;
    }

    /** Adds a task for one of the group's threads. */
    void add(Runnable task) {
        tasks.add(task);
        HandOff other = handOff;
        if (other == null || !other.start()) {
            changed();
        }
        if (lent) {
            call();
        }
    }

    /** Makes the thread that polls see a key whose interest set has changed, or that was cancelled. */
    void changed() {
        if (selecting) {
            selector.wakeup();
        }
    }

    /** Takes a task; null if there is none. */
    Runnable next() {
        Runnable task = tasks.poll();
        return task == null ? ready.poll() : task;
    }

    boolean hasTasks() {
        return hasHandlers() || !ready.isEmpty();
    }

    /** Whether there are tasks that call handlers, or may do so. */
    boolean hasHandlers() {
        return !tasks.isEmpty();
    }

    /** Whether there are tasks for the thread that hands handlers over: those that no thread is about to run. */
    private boolean areTasksLeft() {
        HandOff other = handOff;
        return !ready.isEmpty() || (hasHandlers() && (other == null || !other.isComing()));
    }

    /** Whether handlers take long, so that a thread that does not run them polls meanwhile. */
    boolean isSlow() {
        return slow > 0;
    }

    /** Forgets the tasks, which no thread will run. */
    void dropTasks() {
        tasks.clear();
        ready.clear();
    }

    /** Takes the right to poll, for a thread of the group; whether no other thread has it. */
    boolean tryTake() {
        return !isLent() && !taken.get() && taken.compareAndSet(false, true);
    }

    private boolean isLent() {
        if (lent && isQuiet()) {
            lent = false;
        }
        return lent;
    }

    /** The same for a thread outside the group, which waits for a future. */
    boolean tryBorrow() {
        boolean borrowed = !taken.get() && taken.compareAndSet(false, true);
        if (borrowed) {
            lent = true;
        }
        return borrowed;
    }

    /**
     * Leaves the next select to a thread outside the group, which has got a future and may want another one. Does
     * nothing if a thread of the group selects already.
     */
    void lend() {
        if (!taken.get()) {
            lent = true;
        }
    }

    /** Whether the group's threads are to poll again. */
    boolean isKept() {
        return !lent;
    }

    /** Leaves the next selects to the group's threads. */
    void keep() {
        if (lent) {
            takeBack();
        }
    }

    /** Makes the group's threads poll again. */
    void takeBack() {
        lent = false;
        call();
    }

    /**
     * Selects once, by the thread that has the right to poll, and returns the right. The keys that are ready lose the
     * operations from their interest sets, and their slots become tasks.
     *
     * @param millis the longest wait, or {@link #FOREVER}; there is none while there are tasks
     * @return the first task, for the caller; null if there is none
     */
    Runnable poll(long millis) throws IOException {
        try {
            return select(millis, null, false);
        } finally {
            // The next select would not wait. Nothing of the program's runs here that the interrupt could be meant for.
            Thread.interrupted();
        }
    }

    /**
     * Selects once, as {@link #poll}, and runs the slots whose operations have futures, those of earlier selects too, at
     * most {@value #TURN}. The other tasks are left to the group.
     *
     * @param wanted there is no wait if it is done; null for a thread of the group that hands handlers over
     * @return whether the thread was interrupted in the select; its interrupt status is cleared before it runs a slot
     */
    boolean pollForFutures(long millis, Future<?> wanted) throws IOException {
        Slot slot = select(millis, wanted, wanted == null);
        boolean interrupted = Thread.interrupted();
        for (int run = 0; run < TURN; run++) {
            slot = slot == null ? ready.poll() : slot;
            if (slot == null) {
                break;
            }
            if (!slot.runForFuture()) {
                tasks.add(slot);
            }
            slot = null;
        }
        return interrupted;
    }

    /**
     * Selects once. Does not wait while there are tasks for the calling thread.
     *
     * @param wanted there is no wait if it is done, either; may be null
     * @param handsOver whether the calling thread has others run handlers, and so leaves them those that are coming
     */
    private Slot select(long millis, Future<?> wanted, boolean handsOver) throws IOException {
        first = null;
        count = 0;
        selecting = true;
        try {
            // In this order: a thread that adds a task, or completes a future, either is seen here, or wakes the
            // select.
            if (handsOver ? areTasksLeft() : hasTasks() || isDone(wanted)) {
                selector.selectNow(found);
            } else if (!over) {
                selector.select(found, millis);
            }
            return first;
        } finally {
            selecting = false;
            movedNs = System.nanoTime();
            boolean many = count >= MANY;
            taken.set(false);
            if (many) {
                call();
            } else {
                standBy.moved();
            }
        }
    }

    private static boolean isDone(Future<?> wanted) {
        return wanted != null && wanted.state() != Future.State.RUNNING;
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

    private void found(Slot slot) {
        count++;
        if (first == null) {
            first = slot;
        } else {
            ready.add(slot);
        }
    }

    /** Runs a task. If handlers take long, another thread polls meanwhile. */
    @SuppressWarnings("ReferenceEquality") // threads are equal to themselves alone
    void run(Runnable task) {
        if (isSlow()) {
            callIfNeeded();
        }
        long begun = System.nanoTime();
        movedNs = begun;
        running = Thread.currentThread();
        try {
            task.run();
        } finally {
            if (running == Thread.currentThread()) {
                running = null;
            }
            boolean isLong = System.nanoTime() - begun > LONG_NS;
            int now = slow;
            if (now > 0 || isLong) {
                slow = Math.max(now - 1, isLong ? SHORT_HANDLERS : 0);
            }
            // An interrupt of a handler ends with it.
            Thread.interrupted();
        }
    }

    /** Makes the thread that stands by take over now. */
    void call() {
        standBy.call();
    }

    /** Makes the thread that stands by take over, unless another one polls and no task waits. */
    void callIfNeeded() {
        // A call that is not needed would end a later wait.
        if (!taken.get() || hasTasks()) {
            call();
        }
    }

    /** Waits until this thread is to look for tasks, or to poll. */
    void standBy() {
        standBy.await();
    }

    /**
     * Waits until this thread is called, or a time is over.
     *
     * @param nanos not longer than {@link #QUIET_NS}, because nothing is looked at meanwhile
     */
    void pause(long nanos) {
        standBy.pause(nanos);
    }

    /** Whether tasks wait, or no thread polls, and nothing has moved for a while. */
    boolean isStuck() {
        return (!taken.get() || hasTasks()) && isQuiet();
    }

    /** The thread that stands by has found that nothing moves, and takes over. */
    void rescued() {
        Thread handling = running;
        // A long computation, or a thread without a processor, is no sign that handlers wait.
        if (handling != null && handling.getState() != Thread.State.RUNNABLE) {
            slow = WAITED_HANDLERS;
        }
    }

    /** Whether the thread that polls has selected for a while, and so is asleep. */
    boolean isAsleep() {
        return selecting && isQuiet();
    }

    private boolean isQuiet() {
        return System.nanoTime() - movedNs >= QUIET_NS;
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
