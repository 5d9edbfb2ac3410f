// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.message.MessageRun;
import io.pipedevice.active.message.RegionAccess;
import io.pipedevice.active.message.RegionOperation;
import io.pipedevice.active.operation.OperationCode;
import io.pipedevice.active.operation.OperationStatus;
import io.pipedevice.jdk.Foreign;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.List;

/**
 * A run of a function in the process that calls it, for one call after the other. Reads regions that are mapped here at
 * once; for other operations the run waits. Used by one thread at a time.
 */
final class ClientRun implements RegionAccess {
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    final MessageRun run;
    private final RegionExchange exchange;
    private final List<RemoteRegion> regions;

    /** Where the bytes of its copies go through. */
    final Region bounce;

    final long bounceOffset;

    MessageRun.State state;

    /** Whether the call has failed because it has not ended in its time. */
    boolean over;

    /** Which of the outstanding calls it runs. */
    int number;

    /** That call; its message is where the answer goes to. */
    OutstandingCall outstanding;

    /** Whether the call may continue elsewhere. */
    boolean movable;

    long beganNs;

    /** How often it has waited for an operation. */
    int waits;

    /** When it had used up its turn. */
    long pausedNs;

    /** The count of changes before the operation for which it waits. */
    private long changes;

    ClientRun(RegionExchange exchange, RunnableFunction function, Region bounce, long bounceOffset) {
        this.exchange = exchange;
        this.regions = function.regions();
        this.run = new MessageRun(function.code());
        this.bounce = bounce;
        this.bounceOffset = bounceOffset;
    }

    RemoteRegion region() {
        return regions.get(run.operation().region());
    }

    @Override
    public long size(int region) {
        return regions.get(region).size();
    }

    @Override
    public boolean execute(RegionOperation operation) {
        int code = operation.code();
        if (code == RegionOperation.YIELD) {
            return true;
        }
        RemoteRegion region = regions.get(operation.region());
        int status = operation.statusIn(region.size());
        if (status != OperationStatus.OK) {
            operation.status(status);
            return true;
        }
        changes = exchange.changes();
        if (code != OperationCode.READ && code != OperationCode.GET) {
            return false;
        }
        MemorySegment bytes = region.readable(changes);
        if (bytes == null) {
            return false;
        }
        if (code == OperationCode.READ) {
            operation.copyFrom(bytes);
            VarHandle.loadLoadFence();
        } else {
            operation.value((long) WORD.getVolatile(bytes, operation.offset()));
        }
        return exchange.changes() == changes;
    }

    /** The operation for which the run waits has ended. */
    void executed(int status, long value) {
        RegionOperation operation = run.operation();
        if (status != OperationStatus.OK) {
            operation.status(status);
            return;
        }
        if (operation.code() == OperationCode.READ) {
            MemorySegment.copy(bounce.memory(), bounceOffset, operation.bytes(), 0, operation.length());
        } else {
            operation.value(value);
        }
        if (operation.code() == OperationCode.READ || operation.code() == OperationCode.GET) {
            region().permitted(changes);
        }
    }
}
