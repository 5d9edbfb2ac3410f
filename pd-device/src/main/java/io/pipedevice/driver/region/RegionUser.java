// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.active.operation.CompletionPageDescriptor;
import io.pipedevice.active.operation.OperationConsumer;
import io.pipedevice.active.operation.OperationPageDescriptor;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.data.OperationCopies;
import io.pipedevice.jdk.Foreign;
import io.pipedevice.memory.SharedRegion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.List;
import java.util.function.Function;

/**
 * A process that has regions or queue pairs: its handles, its queue pairs, and those of them that have something to do.
 * Belongs to the driver's thread.
 */
public final class RegionUser implements OperationQueue.Turns {
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    /** Its attachment. */
    public final AttachedProcess process;

    /** Its regions, and those that it has found. */
    public final RegionHandles handles;

    /** The queue pairs that have something to do, or had when they were last looked at. */
    final ArrayDeque<OperationQueue> active = new ArrayDeque<>();

    /** {@link Operations}: whether the calls had no turn since the queue pairs had used the credit. */
    boolean hasNoCreditForCalls;

    /** {@link Operations}: whether the process has used up its rate. */
    boolean throttled;

    private final OperationCopies copies;
    private final List<ArmedRing> touched;
    private final Function<RegionUser, CallExecutor> makeCalls;

    /** Null before the first call. */
    private CallExecutor calls;

    private SharedRegion page;
    private SharedRegion completionPage;
    private MemorySegment words;
    private OperationQueue[] queues = {};
    private long[] activities = {};
    private long changes;

    /**
     * Begins without regions and queue pairs.
     *
     * @param copies moves bytes
     * @param touched the rings, of all processes, that were filled in this duty cycle
     * @param makeCalls makes what executes the calls of a process
     */
    RegionUser(
            AttachedProcess process,
            Names<RegisteredRegion> names,
            Rights rights,
            OperationCopies copies,
            List<ArmedRing> touched,
            Function<RegionUser, CallExecutor> makeCalls) {
        this.process = process;
        this.handles = new RegionHandles(process, names, rights, this::changed);
        this.copies = copies;
        this.touched = touched;
        this.makeCalls = makeCalls;
    }

    /**
     * Gives the process its queue pairs; takes ownership of the pages.
     *
     * @param operationPage of the process
     * @param completions of the driver
     * @param count of queue pairs
     * @param depth of each
     */
    public void open(SharedRegion operationPage, SharedRegion completions, int count, int depth) {
        page = operationPage;
        completionPage = completions;
        words = operationPage.memory();
        WORD.set(
                completions.memory(), (long) CompletionPageDescriptor.VERSION_OFFSET, CompletionPageDescriptor.VERSION);
        WORD.setRelease(completions.memory(), 0L, CompletionPageDescriptor.MAGIC);
        queues = new OperationQueue[count];
        activities = new long[(count + OperationPageDescriptor.GROUP - 1) / OperationPageDescriptor.GROUP];
        for (int number = 0; number < count; number++) {
            OperationConsumer ring = new OperationConsumer(words, completions.memory(), depth, number);
            queues[number] = new OperationQueue(handles, copies, number, ring, this);
        }
    }

    /**
     * Whether the process has its queue pairs.
     *
     * @return true after {@link #open}
     */
    boolean isOpen() {
        return page != null;
    }

    @Override
    public void activate(OperationQueue queue) {
        active.add(queue);
    }

    @Override
    public CallExecutor calls() {
        if (calls == null) {
            calls = makeCalls.apply(this);
        }
        return calls;
    }

    @Override
    public void filled(ArmedRing ring) {
        if (!ring.touched) {
            ring.touched = true;
            touched.add(ring);
        }
    }

    /**
     * Notifies the process that a region or function has ended, or that rights may have changed. An operation that
     * waits for the rate is looked at again: if its region has ended, its owner must not wait for it.
     */
    public void changed() {
        throttled = false;
        if (isOpen()) {
            WORD.setRelease(completionPage.memory(), (long) CompletionPageDescriptor.CHANGES_OFFSET, ++changes);
        }
    }

    /** Puts the queue pairs that have requests among the active ones. */
    void look() {
        for (int group = 0; group < activities.length && process.share.hasCredit(); group++) {
            int first = group * OperationPageDescriptor.GROUP;
            long activity = OperationConsumer.activity(words, first);
            if (activity != activities[group]) {
                activities[group] = activity;
                process.share.requests(1);
                int end = Math.min(queues.length, first + OperationPageDescriptor.GROUP);
                for (int number = first; number < end; number++) {
                    queues[number].activateIfPosted();
                }
            }
        }
    }

    /**
     * Takes back the calls that the process has served for others, and ends those that have not ended in their time.
     */
    void lookAtCalls(long nowNs) {
        if (calls != null) {
            calls.look(nowNs);
        }
    }

    /** The time until a call may have to end. */
    long callLimitNs(long nowNs) {
        return calls == null ? Long.MAX_VALUE : calls.limitNs(nowNs);
    }

    /** Whether calls can continue at the device. */
    boolean wantsCallsTurn() {
        return calls != null && calls.wantsTurn();
    }

    /**
     * Whether the calls have a turn before the queue pairs, so that requests alone cannot use each round's credit up.
     */
    boolean callsComeFirst() {
        return hasNoCreditForCalls && wantsCallsTurn();
    }

    /** Whether requests were announced since the last look, or calls were returned. */
    boolean hasAnnouncements() {
        if (calls != null && calls.hasReturns()) {
            return true;
        }
        for (int group = 0; group < activities.length; group++) {
            if (OperationConsumer.activity(words, group * OperationPageDescriptor.GROUP) != activities[group]) {
                return true;
            }
        }
        return false;
    }

    /** Ends the process's regions, and takes no more of its requests, because it is gone. */
    void leave() {
        active.clear();
        for (OperationQueue queue : queues) {
            queue.stop();
        }
        if (calls != null) {
            calls.leave();
        }
        handles.leave();
    }

    /** Whether nothing of the process, which is gone, is in use. */
    boolean isQuiet() {
        for (OperationQueue queue : queues) {
            if (!queue.isQuiet()) {
                return false;
            }
        }
        return handles.areReleased();
    }

    /** Releases the pages of a process that is gone. */
    void close() {
        if (isOpen()) {
            process.memory.unmapped(page, page.size());
            process.memory.freePage(completionPage, completionPage.size());
            queues = new OperationQueue[0];
            activities = new long[0];
            page = null;
        }
    }
}
