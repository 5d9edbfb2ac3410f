// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.operation;

import java.lang.foreign.MemorySegment;

/**
 * The process's end of a queue pair: posts requests, and consumes completions. Owned by one thread at a time. The pages
 * belong to the attachment.
 *
 * <p>The ring of completions is as deep as that of requests, and an operation has one completion. So there is room for
 * a request if fewer than {@code depth} operations have completions that were not consumed, and neither side has to say
 * how many requests it has taken.
 */
public final class OperationProducer {
    private final MemorySegment page;
    private final MemorySegment completionPage;
    private final int depth;
    private final int lapShift;
    private final long activity;
    private final long slot;
    private final long requests;
    private final long completions;
    private long posted;
    private long announced;
    private long consumed;
    private long id;
    private long value;
    private int status;
    private int delayNs;

    /**
     * Begins with a queue pair that was not used before.
     *
     * @param page of the process, of {@link OperationPageDescriptor}
     * @param completionPage of the driver, of {@link CompletionPageDescriptor}
     * @param depth of all queue pairs
     * @param queue number of this one
     */
    public OperationProducer(MemorySegment page, MemorySegment completionPage, int depth, int queue) {
        this.page = page;
        this.completionPage = completionPage;
        this.depth = depth;
        this.lapShift = Integer.numberOfTrailingZeros(depth);
        this.activity = OperationPageDescriptor.activity(queue);
        this.slot = OperationPageDescriptor.slot(depth, queue);
        this.requests = OperationPageDescriptor.requests(depth, queue);
        this.completions = CompletionPageDescriptor.completions(depth, queue);
    }

    /**
     * Posts a request, which the driver may see at once, or not before {@link #announce}.
     *
     * @param code one of {@link OperationCode}
     * @param id that the completion repeats
     * @param target handle of the region
     * @param targetOffset where in the region
     * @param length of what is copied
     * @param buffer handle of a region of this process
     * @param bufferOffset where in the buffer
     * @param operand as the code says
     * @param secondOperand as the code says
     * @return false if {@code depth} operations have completions that were not consumed
     */
    public boolean post(
            int code,
            long id,
            int target,
            long targetOffset,
            int length,
            int buffer,
            long bufferOffset,
            long operand,
            long secondOperand) {
        if (posted - consumed >= depth) {
            return false;
        }
        long entry = requests + (posted & depth - 1) * OperationDescriptor.LENGTH;
        Words.set(page, entry + OperationDescriptor.ID_OFFSET, id);
        Words.set(page, entry + OperationDescriptor.HANDLES_OFFSET, OperationDescriptor.pair(target, buffer));
        Words.set(page, entry + OperationDescriptor.TARGET_OFFSET_OFFSET, targetOffset);
        Words.set(page, entry + OperationDescriptor.LENGTH_AND_CODE_OFFSET, OperationDescriptor.pair(length, code));
        Words.set(page, entry + OperationDescriptor.BUFFER_OFFSET_OFFSET, bufferOffset);
        Words.set(page, entry + OperationDescriptor.OPERAND_OFFSET, operand);
        Words.set(page, entry + OperationDescriptor.SECOND_OPERAND_OFFSET, secondOperand);
        Words.setRelease(page, entry + OperationDescriptor.STAMP_OFFSET, (posted >>> lapShift) + 1);
        posted++;
        return true;
    }

    /**
     * Makes the driver look at this queue pair, if it is awake. The caller wakes a driver that sleeps.
     *
     * @return false if nothing was posted since the last call
     */
    public boolean announce() {
        if (announced == posted) {
            return false;
        }
        announced = posted;
        Words.increase(page, activity);
        return true;
    }

    /**
     * Whether there is a completion to {@link #poll}.
     *
     * @return whether the oldest operation is complete
     */
    public boolean isReady() {
        return consumed < posted && stamp() == (consumed >>> lapShift) + 1;
    }

    private long stamp() {
        return Words.getAcquire(completionPage, entry() + CompletionDescriptor.STAMP_OFFSET);
    }

    private long entry() {
        return completions + (consumed & depth - 1) * CompletionDescriptor.LENGTH;
    }

    /**
     * Consumes the next completion.
     *
     * @return false if there is none
     */
    public boolean poll() {
        if (!isReady()) {
            return false;
        }
        long entry = entry();
        id = Words.get(completionPage, entry + CompletionDescriptor.ID_OFFSET);
        value = Words.get(completionPage, entry + CompletionDescriptor.VALUE_OFFSET);
        long statusAndDelay = Words.get(completionPage, entry + CompletionDescriptor.STATUS_OFFSET);
        status = OperationDescriptor.low(statusAndDelay);
        delayNs = OperationDescriptor.high(statusAndDelay);
        consumed++;
        Words.setRelease(page, slot + OperationPageDescriptor.CONSUMED_OFFSET, consumed);
        return true;
    }

    /**
     * The id of the completion that was consumed last.
     *
     * @return as it was posted
     */
    public long id() {
        return id;
    }

    /**
     * The value of the completion that was consumed last.
     *
     * @return the value of eight bytes before the operation
     */
    public long value() {
        return value;
    }

    /**
     * The status of the completion that was consumed last.
     *
     * @return one of {@link OperationStatus}
     */
    public int status() {
        return status;
    }

    /**
     * The delay of the call whose completion was consumed last.
     *
     * @return in nanoseconds, an unsigned number
     */
    public int delayNs() {
        return delayNs;
    }

    /**
     * The number of operations whose completions were not consumed.
     *
     * @return 0 to the depth
     */
    public int outstanding() {
        return (int) (posted - consumed);
    }

    /**
     * Says on which doorbell a thread is about to sleep. The caller fences and looks again before it sleeps.
     *
     * @param word an arm word
     */
    public void arm(long word) {
        Words.setRelease(page, slot + OperationPageDescriptor.ARM_OFFSET, word);
    }
}
