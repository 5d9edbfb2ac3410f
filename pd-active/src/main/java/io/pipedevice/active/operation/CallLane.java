// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.operation;

import java.lang.foreign.MemorySegment;

/**
 * The driver's end of a lane: hands calls to a process that serves them, and takes them back. Whatever the process
 * writes into its page, this takes at most one return for each entry and lap, and reads each word of its header once.
 * Used by one thread at a time. The pages belong to the attachment.
 */
public final class CallLane {
    private final MemorySegment callPage;
    private final MemorySegment returnPage;
    private final int depth;
    private final int lapShift;
    private final int room;
    private final int lane;
    private long posted;
    private long taken;
    private long number;
    private long result;
    private int status;
    private int stateLength;
    private int delayNs;

    /**
     * Begins with a lane that was not used before.
     *
     * @param callPage of the driver, of {@link CallPageDescriptor}
     * @param returnPage of the process, of {@link ReturnPageDescriptor}
     * @param depth of all lanes
     * @param room of an entry
     * @param lane number of this one
     */
    public CallLane(MemorySegment callPage, MemorySegment returnPage, int depth, int room, int lane) {
        this.callPage = callPage;
        this.returnPage = returnPage;
        this.depth = depth;
        this.lapShift = Integer.numberOfTrailingZeros(depth);
        this.room = room;
        this.lane = lane;
    }

    /**
     * Calls that were posted and whose returns were not taken.
     *
     * @return 0 to the depth
     */
    public int outstanding() {
        return (int) (posted - taken);
    }

    /**
     * Whether another call may be posted.
     *
     * @return false if as many are outstanding as the lane is deep
     */
    public boolean hasRoom() {
        return outstanding() < depth;
    }

    /**
     * The memory of calls.
     *
     * @return for the driver to write
     */
    public MemorySegment calls() {
        return callPage;
    }

    /**
     * Where the message of the next call is to be written, before {@link #post}.
     *
     * @return offset in the memory of calls
     */
    public long message() {
        return CallPageDescriptor.entry(depth, room, lane, posted) + CallPageDescriptor.MESSAGE_OFFSET;
    }

    /**
     * Posts a call, for which there is {@link #hasRoom room} and whose message was written.
     *
     * @param callNumber comes back with it
     * @param function handle of the process's function
     * @param state length of the state behind the message; 0 if the call begins
     * @param postedNs when the caller has posted it
     * @param flags of {@link CallFlags}
     */
    public void post(long callNumber, int function, int state, long postedNs, long flags) {
        long entry = CallPageDescriptor.entry(depth, room, lane, posted);
        Words.set(callPage, entry + CallPageDescriptor.NUMBER_OFFSET, callNumber);
        Words.set(callPage, entry + CallPageDescriptor.FUNCTION_OFFSET, OperationDescriptor.pair(function, state));
        Words.set(callPage, entry + CallPageDescriptor.POSTED_OFFSET, postedNs);
        Words.set(callPage, entry + CallPageDescriptor.FLAGS_OFFSET, flags);
        Words.setRelease(callPage, entry + CallPageDescriptor.STAMP_OFFSET, (posted >>> lapShift) + 1);
        posted++;
    }

    /**
     * Whether there is a return to {@link #take}.
     *
     * @return false also if nothing is outstanding
     */
    public boolean isReady() {
        return taken < posted
                && Words.getAcquire(returnPage, entry() + ReturnPageDescriptor.STAMP_OFFSET)
                        == (taken >>> lapShift) + 1;
    }

    private long entry() {
        return ReturnPageDescriptor.entry(depth, room, lane, taken);
    }

    /**
     * Takes the next return. Its message is to be copied before another call is posted.
     *
     * @return false if there is none
     */
    public boolean take() {
        if (!isReady()) {
            return false;
        }
        long entry = entry();
        number = Words.get(returnPage, entry + ReturnPageDescriptor.NUMBER_OFFSET);
        result = Words.get(returnPage, entry + ReturnPageDescriptor.RESULT_OFFSET);
        long statusAndState = Words.get(returnPage, entry + ReturnPageDescriptor.STATUS_OFFSET);
        status = OperationDescriptor.low(statusAndState);
        stateLength = OperationDescriptor.high(statusAndState);
        delayNs = OperationDescriptor.low(Words.get(returnPage, entry + ReturnPageDescriptor.DELAY_OFFSET));
        taken++;
        return true;
    }

    /**
     * The memory of returns.
     *
     * @return which the process may change at any time
     */
    public MemorySegment returns() {
        return returnPage;
    }

    /**
     * Where the message of the return lies that was taken last.
     *
     * @return offset in the memory of returns
     */
    public long returned() {
        return ReturnPageDescriptor.entry(depth, room, lane, taken - 1) + ReturnPageDescriptor.MESSAGE_OFFSET;
    }

    /**
     * The number of the call that was taken back last.
     *
     * @return any value
     */
    public long number() {
        return number;
    }

    /**
     * The result of the call that was taken back last.
     *
     * @return any value
     */
    public long result() {
        return result;
    }

    /**
     * The status of the call that was taken back last.
     *
     * @return any value
     */
    public int status() {
        return status;
    }

    /**
     * The length of the state of the call that was taken back last.
     *
     * @return any value
     */
    public int stateLength() {
        return stateLength;
    }

    /**
     * The delay of the call that was taken back last.
     *
     * @return in nanoseconds, an unsigned number, any value
     */
    public int delayNs() {
        return delayNs;
    }

    /**
     * The arm word of the process's thread. The caller has fenced after it posted calls.
     *
     * @return any value
     */
    public long arm() {
        return Words.getAcquire(returnPage, ReturnPageDescriptor.arm(depth, room, lane));
    }
}
