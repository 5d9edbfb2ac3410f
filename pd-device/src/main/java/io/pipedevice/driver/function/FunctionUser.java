// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import io.pipedevice.active.operation.CallFlags;
import io.pipedevice.active.operation.CallPageDescriptor;
import io.pipedevice.active.operation.OperationRequest;
import io.pipedevice.active.operation.OperationStatus;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.data.FaultyProcesses;
import io.pipedevice.driver.data.OperationCopies;
import io.pipedevice.driver.region.CallExecutor;
import io.pipedevice.driver.region.Handle;
import io.pipedevice.driver.region.Handles;
import io.pipedevice.driver.region.Need;
import io.pipedevice.driver.region.RegionUser;
import io.pipedevice.driver.region.RegisteredRegion;
import io.pipedevice.driver.region.Rights;
import io.pipedevice.driver.share.ProcessCounters.Gathered;
import io.pipedevice.driver.share.Share;
import io.pipedevice.memory.SharedRegion;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Consumer;

/**
 * A process that has functions, or has posted calls: its handles, its functions, and its calls that are under way.
 * Belongs to the driver's thread.
 */
final class FunctionUser implements CallExecutor, CallOwner, CallServer {
    /** Bytes of the driver's memory that the calls of a process may take; one call may always begin. */
    private static final int MOST_BYTES = 1 << 20;

    /** Functions of a process. */
    private static final int MOST_FUNCTIONS = 64;

    /** The functions of the process, and those that it has found. */
    final Handles<StoredFunction> handles;

    /** The regions and queue pairs of the process. */
    final RegionUser regions;

    final AttachedProcess process;
    final List<StoredFunction> functions = new ArrayList<>();

    private final CallRules rules;
    private final OperationCopies copies;
    private final RunPool runs;
    private final DeviceRunner device;
    private final ArrayDeque<Call> unused = new ArrayDeque<>();
    private final TimeLimits limits = new TimeLimits();
    private final Consumer<Call> endOverdue = this::endOverdue;

    /** Queue pairs that wait for room. */
    private final LinkedHashSet<Caller> waiting = new LinkedHashSet<>();

    /** When one of them has a call that has to end, although there may be no room. */
    private final Soonest waitingUntil = new Soonest();

    /** All processes. */
    private final List<FunctionUser> all;

    private final FaultyProcesses faulty;

    /** The process's threads that serve calls; null if it has none. */
    private HostServer host;

    private int underWay;
    private int bytes;
    private boolean gone;

    FunctionUser(RegionUser regions, Rights rights, CallPlaces places, List<FunctionUser> all, FaultyProcesses faulty) {
        this.all = all;
        this.faulty = faulty;
        this.process = regions.process;
        this.regions = regions;
        this.handles = new Handles<>(process, regions::changed);
        this.rules = new CallRules(handles, regions, rights);
        this.copies = places.copies();
        this.runs = places.runs();
        this.device = new DeviceRunner(this, places);
    }

    /**
     * Whether the process may register another function.
     *
     * @return false if it has too many
     */
    boolean hasRoomForFunction() {
        return functions.size() < MOST_FUNCTIONS && handles.hasRoom();
    }

    @Override
    public boolean hasRoom(Caller caller, OperationRequest operation) {
        if (underWay == 0 || bytes < MOST_BYTES) {
            return true;
        }
        long limitNs = CallFlags.limitNs(operation.operand());
        if (limitNs != 0) {
            waitingUntil.add(operation.secondOperand() + limitNs);
        }
        waiting.add(caller);
        return false;
    }

    @Override
    public void begin(OperationRequest operation, Caller caller, long nowNs) {
        int status = rules.check(operation);
        if (status != OperationStatus.OK) {
            process.counters.count(Gathered.FAILED_CALLS, 1);
            caller.ended(operation.id(), 0, status, 0);
            return;
        }
        Call call = unused.isEmpty() ? new Call(this) : unused.pop();
        call.caller = caller;
        call.id = operation.id();
        call.function = handles.handle(operation.target()).target;
        call.buffer = regions.handles.handle(operation.buffer()).target;
        call.bufferOffset = operation.bufferOffset();
        call.room = operation.length();
        call.state = Math.clamp(operation.targetOffset(), 0, Integer.MAX_VALUE);
        call.flags = operation.operand();
        call.postedNs = operation.secondOperand();
        call.footprint = call.function.footprint();
        underWay++;
        bytes += call.footprint;
        limits.add(call);
        boolean resumed = (call.flags & CallFlags.RESUME) != 0;
        boolean forwarded = !resumed && (call.flags & CallFlags.HOST) != 0;
        if (forwarded && !call.function.server.serves(call.function)) {
            end(call, 0, OperationStatus.NOT_SERVED);
            return;
        }
        // The bytes of the answer count when it ends.
        copies.moved(process, call.function.messageLength());
        if (resumed) {
            resume(call);
        } else if (forwarded) {
            call.function.server.forward(call);
        } else {
            device.begin(call);
        }
    }

    /** Goes on with a call whose message and state are in its buffer. */
    private void resume(Call call) {
        int length = call.function.messageLength();
        int state = CallPageDescriptor.state(length);
        if (!takeRun(call)) {
            return;
        }
        if (!DriverCopy.copy(call.buffer.bytes(), call.bufferOffset, call.run.message(), 0, length)) {
            end(call, 0, OperationStatus.DEVICE);
            return;
        }
        device.resume(call, call.buffer.bytes(), call.bufferOffset + state, Math.min(call.state, call.room - state));
    }

    @Override
    public void goOnAtDevice(Call call, MemorySegment memory, long offset, int length) {
        device.resume(call, memory, offset, Math.clamp(length, 0, call.function.stateLength()));
    }

    @Override
    public boolean serves(StoredFunction function) {
        return host != null && host.serves(function);
    }

    @Override
    public boolean hasRoom() {
        return host.hasRoom();
    }

    @Override
    public void forward(Call call) {
        host.forward(call);
    }

    @Override
    public void giveUp(Call call) {
        if (host != null) {
            host.giveUp(call);
        }
    }

    /**
     * Whether the process serves calls.
     *
     * @return false also after it has stopped
     */
    boolean isServing() {
        return host != null;
    }

    /**
     * Lets the process serve calls; takes ownership of the pages, which are charged to it.
     *
     * @param calls of the driver
     * @param returns of the process
     * @param lanes their number
     * @param depth of each
     * @param room of an entry
     */
    void serve(SharedRegion calls, SharedRegion returns, int lanes, int depth, int room) {
        host = new HostServer(regions, calls, returns, lanes, depth, room);
    }

    /**
     * Lets the process serve no calls any more.
     *
     * @param then runs when none is left
     */
    void stopServing(Runnable then) {
        HostServer stopped = host;
        stopped.stop(() -> {
            stopped.close();
            host = null;
            then.run();
        });
    }

    /** A function of the process has ended. */
    void endedFunction(StoredFunction function) {
        if (host != null) {
            host.ended(function);
        }
    }

    @Override
    public void look(long nowNs) {
        if (host != null && !host.look()) {
            faulty.add(process, "the return of a call that it has not");
        }
        if (waitingUntil.isOver(nowNs)) {
            notifyWaiting();
        }
        if (limits.areDue(nowNs) && process.share.hasCredit()) {
            long start = System.nanoTime();
            limits.takeOverdue(nowNs, endOverdue);
            process.share.ran(Math.min(System.nanoTime() - start, Share.TURN_NS));
        }
    }

    /** Lets the queue pairs that wait for room look again. */
    private void notifyWaiting() {
        waitingUntil.clear();
        while (!waiting.isEmpty()) {
            waiting.removeFirst().roomForCalls();
        }
    }

    private void endOverdue(Call call) {
        if (!device.giveUp(call)) {
            call.function.server.giveUp(call);
        }
        // A call that has not begun has waited until its limit.
        call.begins(call.endNs);
        end(call, 0, OperationStatus.TIME);
    }

    @Override
    public long limitNs(long nowNs) {
        return Math.min(waitingUntil.leftNs(nowNs), limits.leftNs(nowNs));
    }

    @Override
    public boolean wantsTurn() {
        return device.isReady();
    }

    @Override
    public Need turn() {
        return device.turn();
    }

    @Override
    public boolean hasReturns() {
        return host != null && host.hasReturns();
    }

    @Override
    public boolean mayRun(StoredFunction function) {
        return rules.mayRun(function);
    }

    @Override
    public AttachedProcess process() {
        return process;
    }

    @Override
    public boolean takeRun(Call call) {
        call.pooled = runs.take(call.function, process.identity);
        if (call.pooled == null) {
            end(call, 0, OperationStatus.MEMORY);
            return false;
        }
        call.run = call.pooled.run;
        return true;
    }

    @Override
    public void giveRun(Call call) {
        if (call.pooled != null) {
            runs.give(call.pooled);
            call.pooled = null;
            call.run = null;
        }
    }

    @Override
    public void end(Call call, long value, int status) {
        giveRun(call);
        limits.remove(call);
        if (status == OperationStatus.OK || status == OperationStatus.MOVED) {
            copies.moved(process, call.function.messageLength());
        }
        process.counters.count(counterOf(call, status), 1);
        underWay--;
        bytes -= call.footprint;
        Caller caller = call.caller;
        long id = call.id;
        int delayNs = call.delayNs;
        call.caller = null;
        call.function = null;
        call.buffer = null;
        call.begun = false;
        call.waits = false;
        call.moves = 0;
        call.wasAtHost = false;
        call.delayNs = 0;
        if (gone) {
            return;
        }
        unused.push(call);
        caller.ended(id, value, status, delayNs);
        if (bytes < MOST_BYTES) {
            notifyWaiting();
        }
    }

    private static Gathered counterOf(Call call, int status) {
        return switch (status) {
            case OperationStatus.OK -> call.wasAtHost ? Gathered.HOST_CALLS : Gathered.DEVICE_CALLS;
            case OperationStatus.MOVED -> Gathered.MOVED_CALLS;
            default -> Gathered.FAILED_CALLS;
        };
    }

    @Override
    public void leave() {
        gone = true;
        waiting.clear();
        device.leave();
        all.remove(this);
        for (FunctionUser each : all) {
            if (each.host != null) {
                each.host.callerLeft(this);
            }
        }
        if (host != null) {
            host.callerLeft(this);
            host.close();
            host = null;
        }
        for (StoredFunction function : List.copyOf(functions)) {
            function.close();
        }
        handles.releaseAll();
    }

    /** The region of a handle of the process's own; null if there is none. */
    RegisteredRegion ownRegion(int number) {
        Handle<RegisteredRegion> handle = regions.handles.handle(number);
        return handle != null && handle.isOwners() && handle.target.isOpen() ? handle.target : null;
    }
}
