// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.operation;

import java.lang.foreign.MemorySegment;

/**
 * The end of a lane in a process that serves calls: takes calls, and returns them. Owned by one thread at a time. The
 * pages belong to the attachment.
 */
public final class ServerLane {
    private final MemorySegment callPage;
    private final MemorySegment returnPage;
    private final int depth;
    private final int lapShift;
    private final int room;
    private final int lane;
    private long taken;
    private long posted;
    private long number;
    private int function;
    private int stateLength;
    private long postedNs;
    private long flags;

    /**
     * Begins with a lane that was not used before.
     *
     * @param callPage of the driver, of {@link CallPageDescriptor}
     * @param returnPage of the process, of {@link ReturnPageDescriptor}
     * @param depth of all lanes
     * @param room of an entry
     * @param lane number of this one
     */
    public ServerLane(MemorySegment callPage, MemorySegment returnPage, int depth, int room, int lane) {
        this.callPage = callPage;
        this.returnPage = returnPage;
        this.depth = depth;
        this.lapShift = Integer.numberOfTrailingZeros(depth);
        this.room = room;
        this.lane = lane;
    }

    /**
     * Whether there is a call to {@link #take}.
     *
     * @return whether one was posted
     */
    public boolean isReady() {
        return Words.getAcquire(callPage, entry(taken) + CallPageDescriptor.STAMP_OFFSET) == (taken >>> lapShift) + 1;
    }

    private long entry(long index) {
        return CallPageDescriptor.entry(depth, room, lane, index);
    }

    /**
     * Takes the next call. Its message is to be copied before any call is returned.
     *
     * @return false if there is none
     */
    public boolean take() {
        if (!isReady()) {
            return false;
        }
        long entry = entry(taken);
        number = Words.get(callPage, entry + CallPageDescriptor.NUMBER_OFFSET);
        long functionAndState = Words.get(callPage, entry + CallPageDescriptor.FUNCTION_OFFSET);
        function = OperationDescriptor.low(functionAndState);
        stateLength = OperationDescriptor.high(functionAndState);
        postedNs = Words.get(callPage, entry + CallPageDescriptor.POSTED_OFFSET);
        flags = Words.get(callPage, entry + CallPageDescriptor.FLAGS_OFFSET);
        taken++;
        return true;
    }

    /**
     * The memory of calls.
     *
     * @return which only the driver writes
     */
    public MemorySegment calls() {
        return callPage;
    }

    /**
     * Where the message of the call lies that was taken last.
     *
     * @return offset in the memory of calls
     */
    public long message() {
        return entry(taken - 1) + CallPageDescriptor.MESSAGE_OFFSET;
    }

    /**
     * The number of the call that was taken last.
     *
     * @return to be returned with it
     */
    public long number() {
        return number;
    }

    /**
     * The function of the call that was taken last.
     *
     * @return its handle
     */
    public int function() {
        return function;
    }

    /**
     * The length of the state of the call that was taken last.
     *
     * @return 0 if the call begins
     */
    public int stateLength() {
        return stateLength;
    }

    /**
     * When the call that was taken last was posted.
     *
     * @return in nanoseconds
     */
    public long postedNs() {
        return postedNs;
    }

    /**
     * The flags of the call that was taken last.
     *
     * @return of {@link CallFlags}
     */
    public long flags() {
        return flags;
    }

    /**
     * The memory of returns.
     *
     * @return for this process to write
     */
    public MemorySegment returns() {
        return returnPage;
    }

    /**
     * Where the message of the next return is to be written, before {@link #post}.
     *
     * @return offset in the memory of returns
     */
    public long returned() {
        return ReturnPageDescriptor.entry(depth, room, lane, posted) + ReturnPageDescriptor.MESSAGE_OFFSET;
    }

    /**
     * Returns a call that was taken, and whose message was written.
     *
     * @param callNumber with which it came
     * @param result of the function
     * @param status one of {@link OperationStatus}
     * @param state length of the state behind the message; 0 if the call has ended
     * @param delayNs from its post to its beginning
     */
    public void post(long callNumber, long result, int status, int state, int delayNs) {
        long entry = ReturnPageDescriptor.entry(depth, room, lane, posted);
        Words.set(returnPage, entry + ReturnPageDescriptor.NUMBER_OFFSET, callNumber);
        Words.set(returnPage, entry + ReturnPageDescriptor.RESULT_OFFSET, result);
        Words.set(returnPage, entry + ReturnPageDescriptor.STATUS_OFFSET, OperationDescriptor.pair(status, state));
        Words.set(returnPage, entry + ReturnPageDescriptor.DELAY_OFFSET, Integer.toUnsignedLong(delayNs));
        Words.setRelease(returnPage, entry + ReturnPageDescriptor.STAMP_OFFSET, (posted >>> lapShift) + 1);
        posted++;
    }

    /**
     * Says on which doorbell a thread is about to sleep. The caller fences and looks again before it sleeps.
     *
     * @param word an arm word
     */
    public void arm(long word) {
        Words.setRelease(returnPage, ReturnPageDescriptor.arm(depth, room, lane), word);
    }
}
