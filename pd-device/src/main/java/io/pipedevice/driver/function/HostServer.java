// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import io.pipedevice.active.operation.CallFlags;
import io.pipedevice.active.operation.CallLane;
import io.pipedevice.active.operation.CallMoves;
import io.pipedevice.active.operation.CallPageDescriptor;
import io.pipedevice.active.operation.OperationStatus;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.region.RegionUser;
import io.pipedevice.driver.share.ProcessCounters.Gathered;
import io.pipedevice.driver.share.Share;
import io.pipedevice.jdk.Foreign;
import io.pipedevice.memory.SharedRegion;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * A process that serves calls of its functions: the calls that are there, and those that wait until one of its lanes
 * has room. Owns the pages. Belongs to the driver's thread.
 */
final class HostServer {
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    private final RegionUser user;
    private final SharedRegion calls;
    private final SharedRegion returns;
    private final HostLane[] lanes;
    private final int room;
    private final LinkedEntries<Call> waiting = new LinkedEntries<>();

    /** Runs when nothing is out any more; null while calls are accepted. */
    private Runnable whenStopped;

    /**
     * Begins to serve; takes ownership of the pages, which are charged to the process.
     *
     * @param calls of the driver
     * @param returns of the process
     */
    HostServer(RegionUser user, SharedRegion calls, SharedRegion returns, int count, int depth, int room) {
        this.user = user;
        this.calls = calls;
        this.returns = returns;
        this.room = room;
        this.lanes = new HostLane[count];
        for (int lane = 0; lane < count; lane++) {
            CallLane ring = new CallLane(calls.memory(), returns.memory(), depth, room, lane);
            lanes[lane] = new HostLane(user.process, ring, lane, depth);
        }
        WORD.set(calls.memory(), (long) CallPageDescriptor.VERSION_OFFSET, CallPageDescriptor.VERSION);
        WORD.setRelease(calls.memory(), 0L, CallPageDescriptor.MAGIC);
    }

    /** Whether calls of a function are accepted. */
    boolean serves(StoredFunction function) {
        return whenStopped == null && CallPageDescriptor.room(function.messageLength(), function.stateLength()) <= room;
    }

    /** Takes a call: hands it to the process, or lets it wait for room. */
    void forward(Call call) {
        HostLane lane = lane();
        if (lane == null) {
            waiting.addLast(call);
        } else {
            post(lane, call);
        }
    }

    /** Whether a call would be handed to the process at once. */
    boolean hasRoom() {
        return lane() != null;
    }

    /** The lane with the fewest calls; null if all are full. */
    private HostLane lane() {
        HostLane best = lanes[0];
        for (HostLane lane : lanes) {
            if (lane.ring.outstanding() < best.ring.outstanding()) {
                best = lane;
            }
        }
        return best.ring.hasRoom() ? best : null;
    }

    private void post(HostLane lane, Call call) {
        MemorySegment page = lane.ring.calls();
        long at = lane.ring.message();
        int length = call.function.messageLength();
        int state = 0;
        if (call.run != null) {
            MemorySegment.copy(call.run.message(), 0, page, at, length);
            state = call.run.save(page, at + CallPageDescriptor.state(length));
            call.user.giveRun(call);
        } else if (!call.buffer.isOpen()) {
            call.user.end(call, 0, OperationStatus.BUFFER);
            return;
        } else if (!DriverCopy.copy(call.buffer.bytes(), call.bufferOffset, page, at, length)) {
            call.user.end(call, 0, OperationStatus.DEVICE);
            return;
        }
        call.user.process().share.ran(Share.cost(length + state));
        boolean mayComeBack = call.moves < CallMoves.MOST;
        long flags = mayComeBack ? call.flags & CallFlags.MOVABLE : 0;
        long limit = CallFlags.limitOf(call.flags);
        lane.ring.post(lane.add(call), call.function.ownersHandle, state, call.postedNs, flags | limit);
        user.filled(lane);
    }

    /** Takes back calls; returns false if the process returns what it has not. */
    boolean look() {
        for (HostLane lane : lanes) {
            while (lane.ring.take()) {
                if (!lane.isOut(lane.ring.number())) {
                    return false;
                }
                Call call = lane.remove(lane.ring.number());
                if (call != null) {
                    returned(lane.ring, call);
                }
                next(lane);
            }
        }
        stoppedIfEmpty();
        return true;
    }

    private void next(HostLane lane) {
        while (lane.ring.hasRoom() && !waiting.isEmpty()) {
            post(lane, waiting.poll());
        }
    }

    private void returned(CallLane ring, Call call) {
        call.wasAtHost = true;
        call.begun(ring.delayNs());
        int status = ring.status();
        if (status == OperationStatus.MOVED) {
            resume(ring, call);
            return;
        }
        long value = 0;
        if (status == OperationStatus.OK) {
            status = give(ring, call);
            value = status == OperationStatus.OK ? ring.result() : 0;
        } else if (status < 0 || status > OperationStatus.MOST) {
            status = OperationStatus.FAULT;
        }
        call.user.end(call, value, status);
    }

    /** Copies a message into the buffer of the process that has called. */
    private static int give(CallLane ring, Call call) {
        if (!call.buffer.isOpen()) {
            return OperationStatus.BUFFER;
        }
        int length = call.function.messageLength();
        call.user.process().share.ran(Share.cost(length));
        boolean copied =
                DriverCopy.copy(ring.returns(), ring.returned(), call.buffer.bytes(), call.bufferOffset, length);
        return copied ? OperationStatus.OK : OperationStatus.DEVICE;
    }

    /** Continues a call at the device. */
    private static void resume(CallLane ring, Call call) {
        call.wasAtHost = false;
        call.user.process().counters.count(Gathered.MOVED_CALLS, 1);
        if (!call.user.takeRun(call)) {
            return;
        }
        int length = call.function.messageLength();
        long at = ring.returned();
        if (!DriverCopy.copy(ring.returns(), at, call.run.message(), 0, length)) {
            call.user.end(call, 0, OperationStatus.DEVICE);
            return;
        }
        call.user.goOnAtDevice(call, ring.returns(), at + CallPageDescriptor.state(length), ring.stateLength());
    }

    /** Whether there is a call to take back. */
    boolean hasReturns() {
        if (whenStopped != null && isEmpty()) {
            return true;
        }
        for (HostLane lane : lanes) {
            if (lane.ring.isReady()) {
                return true;
            }
        }
        return false;
    }

    /** Ends the calls of a function that has ended. */
    void ended(StoredFunction function) {
        end(function, OperationStatus.GONE);
    }

    private void end(StoredFunction function, int status) {
        giveUp(call -> function == null || call.function == function, call -> call.user.end(call, 0, status));
    }

    /** Gives up a call that has not ended in its time: its return has no effect. */
    void giveUp(Call call) {
        if (!waiting.remove(call) && call.lane >= 0) {
            lanes[call.lane].forget(call);
        }
    }

    /** Ends the calls of a process that is gone: their returns have no effect. */
    void callerLeft(CallOwner caller) {
        giveUp(call -> call.user.equals(caller), call -> {});
    }

    private void giveUp(Predicate<Call> which, Consumer<Call> then) {
        Call after;
        for (Call call = waiting.first(); call != null; call = after) {
            after = call.next;
            if (which.test(call)) {
                waiting.remove(call);
                then.accept(call);
            }
        }
        for (HostLane lane : lanes) {
            for (int place = 0; place < lane.depth(); place++) {
                Call call = lane.at(place);
                if (call != null && which.test(call)) {
                    lane.forget(call);
                    then.accept(call);
                }
            }
        }
    }

    /**
     * Accepts no calls any more; those that wait end.
     *
     * @param then runs when none is out any more
     */
    void stop(Runnable then) {
        whenStopped = then;
        for (Call call = waiting.poll(); call != null; call = waiting.poll()) {
            call.user.end(call, 0, OperationStatus.NOT_SERVED);
        }
        for (HostLane lane : lanes) {
            user.filled(lane);
        }
    }

    /** Runs what waits for the end, if nothing is out and all threads were woken. */
    private void stoppedIfEmpty() {
        if (whenStopped != null && isEmpty()) {
            whenStopped.run();
        }
    }

    private boolean isEmpty() {
        for (HostLane lane : lanes) {
            if (lane.ring.outstanding() > 0 || lane.waits()) {
                return false;
            }
        }
        return true;
    }

    /** Ends all calls, because the process is gone, and releases the pages. */
    void close() {
        end(null, OperationStatus.GONE);
        for (HostLane lane : lanes) {
            lane.close();
        }
        AttachedProcess process = user.process;
        process.memory.unmapped(returns, returns.size());
        process.memory.freePage(calls, calls.size());
    }
}
