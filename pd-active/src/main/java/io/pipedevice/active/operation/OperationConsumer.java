// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.operation;

import java.lang.foreign.MemorySegment;

/**
 * The driver's end of a queue pair: takes requests, and posts completions. Whatever the process writes into its page,
 * this takes at most one request for each entry and lap, reads each word of it once, and never posts more completions
 * than the ring holds. Used by one thread at a time. The pages belong to the attachment.
 */
public final class OperationConsumer {
    private final MemorySegment page;
    private final MemorySegment completionPage;
    private final int depth;
    private final int lapShift;
    private final long slot;
    private final long requests;
    private final long completions;
    private long taken;
    private long completed;

    /** The process's count of completions that were consumed, as it was last read and checked. */
    private long consumed;

    /**
     * Begins with a queue pair that was not used before.
     *
     * @param page of the process, of {@link OperationPageDescriptor}
     * @param completionPage of the driver, of {@link CompletionPageDescriptor}
     * @param depth of all queue pairs
     * @param queue number of this one
     */
    public OperationConsumer(MemorySegment page, MemorySegment completionPage, int depth, int queue) {
        this.page = page;
        this.completionPage = completionPage;
        this.depth = depth;
        this.lapShift = Integer.numberOfTrailingZeros(depth);
        this.slot = OperationPageDescriptor.slot(depth, queue);
        this.requests = OperationPageDescriptor.requests(depth, queue);
        this.completions = CompletionPageDescriptor.completions(depth, queue);
    }

    /**
     * The activity of a group of queue pairs. Requests that were announced before it grew are seen after this.
     *
     * @param page of the process
     * @param queue number of a queue pair of the group
     * @return any value
     */
    public static long activity(MemorySegment page, int queue) {
        return Words.getAcquire(page, OperationPageDescriptor.activity(queue));
    }

    /**
     * Whether there is no request to {@link #take}.
     *
     * @return false if one was posted
     */
    public boolean isEmpty() {
        return Words.getAcquire(page, entry() + OperationDescriptor.STAMP_OFFSET) != (taken >>> lapShift) + 1;
    }

    private long entry() {
        return requests + (taken & depth - 1) * OperationDescriptor.LENGTH;
    }

    /**
     * Whether the completion of another request will have room. An honest process posts no request without it.
     *
     * @return false if there is none, or if the process has consumed what was not there
     */
    public boolean hasRoom() {
        if (taken - consumed < depth) {
            return true;
        }
        long seen = Words.getAcquire(page, slot + OperationPageDescriptor.CONSUMED_OFFSET);
        if (seen < consumed || seen > completed) {
            return false;
        }
        consumed = seen;
        return taken - consumed < depth;
    }

    /**
     * Takes the next request. There must be {@link #hasRoom room}.
     *
     * @param into receives it
     * @return false if there is none
     */
    public boolean take(OperationRequest into) {
        if (isEmpty()) {
            return false;
        }
        into.read(page, entry());
        taken++;
        return true;
    }

    /**
     * Posts the completion of a request that was taken and has none.
     *
     * @param id of the request
     * @param value of eight bytes
     * @param status one of {@link OperationStatus}
     */
    public void complete(long id, long value, int status) {
        complete(id, value, status, 0);
    }

    /**
     * Posts the completion of a call that was taken and has none.
     *
     * @param id of the request
     * @param value its result
     * @param status one of {@link OperationStatus}
     * @param delayNs an unsigned number
     */
    public void complete(long id, long value, int status, int delayNs) {
        long entry = completions + (completed & depth - 1) * CompletionDescriptor.LENGTH;
        Words.set(completionPage, entry + CompletionDescriptor.ID_OFFSET, id);
        Words.set(completionPage, entry + CompletionDescriptor.VALUE_OFFSET, value);
        Words.set(
                completionPage, entry + CompletionDescriptor.STATUS_OFFSET, OperationDescriptor.pair(status, delayNs));
        Words.setRelease(completionPage, entry + CompletionDescriptor.STAMP_OFFSET, (completed >>> lapShift) + 1);
        completed++;
    }

    /**
     * The arm word of the process's thread. The caller has fenced after it posted completions.
     *
     * @return any value
     */
    public long arm() {
        return Words.getAcquire(page, slot + OperationPageDescriptor.ARM_OFFSET);
    }
}
