// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.code.RegionMemory;
import io.pipedevice.active.code.RunStatus;
import io.pipedevice.active.message.InvalidStateException;
import io.pipedevice.active.message.MessageRun;
import io.pipedevice.active.message.RegionAccess;
import io.pipedevice.active.message.RegionOperation;
import io.pipedevice.active.operation.CallFlags;
import io.pipedevice.active.operation.CallMoves;
import io.pipedevice.active.operation.CallPageDescriptor;
import io.pipedevice.active.operation.CompletionDescriptor;
import io.pipedevice.active.operation.OperationStatus;
import io.pipedevice.active.operation.ServerLane;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;

/** A run of a function in the process of its owner, for one call after the other. Used by one thread. */
final class ServedCall implements RegionAccess {
    private final Function function;
    private final MemorySegment[] regions;
    private final MessageRun run;

    /** Where it is while it is not in use. */
    private final ArrayDeque<ServedCall> unused;

    private long number;
    private long flags;
    private long postedNs;
    private int delayNs;

    /** When it had its last turn. */
    private long turnNs;

    /** Whether the run continues with an operation. */
    private boolean waits;

    ServedCall(Function function, MessageRun run, ArrayDeque<ServedCall> unused) {
        this.unused = unused;
        this.function = function;
        this.run = run;
        this.regions =
                function.definition().regions().stream().map(Region::memory).toArray(MemorySegment[]::new);
    }

    /** The call has been returned. */
    void free() {
        unused.push(this);
    }

    /** Takes the call that the lane has taken last; returns false if its state is not one. */
    boolean begin(ServerLane lane, long nowNs) {
        number = lane.number();
        flags = lane.flags();
        postedNs = lane.postedNs();
        turnNs = nowNs;
        delayNs = CompletionDescriptor.delay(postedNs, nowNs);
        int length = function.definition().messageLength();
        MemorySegment.copy(lane.calls(), lane.message(), run.message(), 0, length);
        if (lane.stateLength() == 0) {
            waits = false;
            run.begin();
            return true;
        }
        try {
            long state = lane.message() + CallPageDescriptor.state(length);
            waits = run.load(lane.calls(), state, lane.stateLength()) == MessageRun.State.WAITS;
            return true;
        } catch (InvalidStateException e) {
            return false;
        }
    }

    /** Runs some instructions of the call; returns whether it has ended, and was returned. */
    boolean step(ServerLane lane, long fuel) {
        if (waits) {
            waits = false;
            execute(run.operation());
        }
        MessageRun.State state = run.run(this, fuel);
        if (state == MessageRun.State.ENDED) {
            MemorySegment.copy(
                    run.message(),
                    0,
                    lane.returns(),
                    lane.returned(),
                    run.message().byteSize());
            lane.post(number, run.result(), OperationStatus.OK, 0, delayNs);
            return true;
        }
        if (state == MessageRun.State.FAILED) {
            lane.post(number, 0, RunStatus.of(run, function.definition().fuel()), 0, delayNs);
            return true;
        }
        return false;
    }

    /** Whether the call has waited so long for its turn that it is better given back. */
    boolean isLate(long nowNs) {
        boolean late = (flags & CallFlags.MOVABLE) != 0 && nowNs - turnNs > CallMoves.PATIENCE_NS;
        turnNs = nowNs;
        return late;
    }

    /** Ends the call if it has not ended in its time; the driver does so by itself, too, maybe earlier. */
    boolean giveUp(ServerLane lane, long nowNs) {
        boolean over = CallFlags.isOver(flags, postedNs, nowNs);
        if (over) {
            lane.post(number, 0, OperationStatus.TIME, 0, delayNs);
        }
        return over;
    }

    /** Gives the call back with its state: it continues at the device. */
    void giveBack(ServerLane lane) {
        int length = function.definition().messageLength();
        MemorySegment.copy(run.message(), 0, lane.returns(), lane.returned(), length);
        int state = run.save(lane.returns(), lane.returned() + CallPageDescriptor.state(length));
        lane.post(number, 0, OperationStatus.MOVED, state, delayNs);
    }

    @Override
    public long size(int region) {
        return regions[region].byteSize();
    }

    @Override
    public boolean execute(RegionOperation operation) {
        if (operation.code() == RegionOperation.YIELD) {
            return true;
        }
        MemorySegment region = regions[operation.region()];
        try {
            RegionMemory.execute(operation, region, region.byteSize());
        } catch (IllegalStateException e) {
            // The region was closed.
            operation.status(OperationStatus.GONE);
        }
        return true;
    }
}
