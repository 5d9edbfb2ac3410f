// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import io.pipedevice.active.code.RunStatus;
import io.pipedevice.active.message.InvalidStateException;
import io.pipedevice.active.message.MessageRun;
import io.pipedevice.active.operation.CallFlags;
import io.pipedevice.active.operation.CallMoves;
import io.pipedevice.active.operation.CallPageDescriptor;
import io.pipedevice.active.operation.OperationStatus;
import io.pipedevice.driver.region.Need;
import io.pipedevice.driver.share.ProcessCounters.Gathered;
import io.pipedevice.driver.share.Share;
import io.pipedevice.linux.ThreadClock;
import java.lang.foreign.MemorySegment;

/**
 * Runs the calls of a process on the driver's thread: in a turn one after the other, each for some instructions. The
 * time is measured and charged to the process that calls. Belongs to the driver's thread.
 */
final class DeviceRunner {
    /**
     * A turn that has taken longer has its processor time read from now on: the kernel may have run another thread
     * meanwhile, or the code is slow.
     */
    private static final long LONG_TURN_NS = 2L * Share.SOCKET_TURN_NS;

    /**
     * Turns whose processor time is read after a long one, so that a process gains nothing by short ones in between.
     */
    private static final int READ_TURNS = 256;

    private final CallOwner user;
    private final DeviceAccess access;
    private final ThreadClock clock;

    /**
     * How many turns have their processor time read. Begins so that the first ones, of cold code, are charged in full.
     */
    private int readTurns = READ_TURNS;

    private final LinkedEntries<Call> runnable = new LinkedEntries<>();

    DeviceRunner(CallOwner user, CallPlaces places) {
        this.user = user;
        this.access = places.access();
        this.clock = places.clock();
    }

    /** Takes a call that begins here: copies its message. */
    void begin(Call call) {
        if (!user.takeRun(call)) {
            return;
        }
        MessageRun run = call.run;
        MemorySegment message = run.message();
        if (!DriverCopy.copy(call.buffer.bytes(), call.bufferOffset, message, 0, message.byteSize())) {
            user.end(call, 0, OperationStatus.DEVICE);
            return;
        }
        run.begin();
        runnable.addLast(call);
    }

    /** Takes a call that continues here. Its message was copied; its state lies in memory of a process. */
    void resume(Call call, MemorySegment memory, long offset, int length) {
        try {
            call.waits = call.run.load(memory, offset, length) == MessageRun.State.WAITS;
        } catch (InvalidStateException e) {
            user.end(call, 0, OperationStatus.STATE);
            return;
        } catch (InternalError e) {
            // A page of the memory could not be read, as may happen in a copy.
            user.end(call, 0, OperationStatus.DEVICE);
            return;
        }
        call.turnNs = System.nanoTime();
        runnable.addLast(call);
    }

    /** Gives up a call; returns false if it is not here. */
    boolean giveUp(Call call) {
        return runnable.remove(call);
    }

    /** Whether a call can continue. */
    boolean isReady() {
        return !runnable.isEmpty();
    }

    /** Goes on with calls until the turn is over; returns what is needed next. */
    Need turn() {
        boolean reads = readTurns > 0;
        long cpu = reads ? clock.cpuNs() : 0;
        long start = System.nanoTime();
        try {
            return turn(start);
        } finally {
            charge(System.nanoTime() - start, reads ? clock.cpuNs() - cpu : -1);
        }
    }

    private void charge(long tookNs, long cpuNs) {
        if (tookNs > LONG_TURN_NS) {
            readTurns = READ_TURNS;
        } else if (readTurns > 0) {
            readTurns--;
        }
        user.process().share.ran(cpuNs < 0 ? Math.min(tookNs, LONG_TURN_NS) : cpuNs);
    }

    private Need turn(long start) {
        long now = start;
        Need need = Need.COMPLETION;
        while (!runnable.isEmpty()) {
            if (now - start >= Share.SOCKET_TURN_NS) {
                need = Need.TURN;
                break;
            }
            if (!step(runnable.poll(), now)) {
                need = Need.RATE;
                break;
            }
            now = System.nanoTime();
        }
        return need;
    }

    /** Goes on with a call; returns false if its process has used up its rate. */
    private boolean step(Call call, long nowNs) {
        StoredFunction function = call.function;
        if (!function.isOpen()) {
            user.end(call, 0, OperationStatus.GONE);
            return true;
        }
        if (call.begun && nowNs - call.turnNs > CallMoves.PATIENCE_NS && moved(call)) {
            return true;
        }
        call.begins(nowNs);
        call.turnNs = nowNs;
        MessageRun run = call.run;
        access.begin(call, nowNs);
        if (call.waits) {
            if (!access.execute(run.operation())) {
                runnable.addFirst(call);
                return false;
            }
            call.waits = false;
        }
        MessageRun.State state;
        try {
            state = run.run(access, function.slice.instructions());
        } catch (OutOfMemoryError e) {
            // The memory that the driver lacks is not this process's fault.
            user.end(call, 0, OperationStatus.MEMORY);
            return true;
        } catch (RuntimeException | Error e) {
            user.end(call, 0, OperationStatus.FAULT);
            throw e;
        }
        function.slice.took(System.nanoTime() - nowNs, state == MessageRun.State.PAUSED);
        switch (state) {
            case ENDED -> ended(call, run);
            case WAITS -> {
                call.waits = true;
                if (access.isThrottled()) {
                    runnable.addFirst(call);
                    return false;
                }
                runnable.addLast(call);
            }
            case PAUSED -> runnable.addLast(call);
            case FAILED -> user.end(call, 0, RunStatus.of(run, function.fuel));
        }
        return true;
    }

    /** Moves a call that has waited long for its turn elsewhere; returns false if it has to stay. */
    private boolean moved(Call call) {
        StoredFunction function = call.function;
        boolean movable = (call.flags & CallFlags.MOVABLE) != 0 && call.moves < CallMoves.MOST;
        if (movable && function.server.serves(function) && function.server.hasRoom()) {
            call.moves++;
            user.process().counters.count(Gathered.MOVED_CALLS, 1);
            call.waits = false;
            function.server.forward(call);
            return true;
        }
        if ((call.flags & CallFlags.RETURNABLE) == 0 || !call.buffer.isOpen() || !user.mayRun(function)) {
            return false;
        }
        MemorySegment message = call.run.message();
        MemorySegment buffer = call.buffer.bytes();
        int length = (int) message.byteSize();
        boolean copied = DriverCopy.copy(message, 0, buffer, call.bufferOffset, length);
        int state = call.run.save(buffer, call.bufferOffset + CallPageDescriptor.state(length));
        user.end(call, state, copied ? OperationStatus.MOVED : OperationStatus.DEVICE);
        return true;
    }

    /** Gives the message back. */
    private void ended(Call call, MessageRun run) {
        if (!call.buffer.isOpen()) {
            user.end(call, 0, OperationStatus.BUFFER);
            return;
        }
        MemorySegment message = run.message();
        boolean copied = DriverCopy.copy(message, 0, call.buffer.bytes(), call.bufferOffset, message.byteSize());
        user.end(call, copied ? run.result() : 0, copied ? OperationStatus.OK : OperationStatus.DEVICE);
    }

    /** Forgets all calls, because the process is gone. */
    void leave() {
        for (Call call = runnable.poll(); call != null; call = runnable.poll()) {
            user.end(call, 0, OperationStatus.GONE);
        }
    }
}
