// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import io.pipedevice.driver.data.Container;
import io.pipedevice.driver.region.Calls;
import io.pipedevice.driver.region.Handle;
import io.pipedevice.driver.region.Handles;
import io.pipedevice.driver.region.Region;
import io.pipedevice.driver.region.RegionUser;
import io.pipedevice.driver.region.Rights;
import io.pipedevice.operation.CallFlags;
import io.pipedevice.operation.Operation;
import io.pipedevice.operation.OperationStatus;
import io.pipedevice.protocol.RegionMessage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/**
 * A process that has functions, or has posted calls: its handles, its functions, and its calls that are under way. Belongs
 * to the driver's thread.
 */
public final class FunctionUser implements Calls {
    /** Bytes of the driver's memory that the calls of a process may take; one call may always begin. */
    private static final int MOST_BYTES = 1 << 20;

    /** Functions of a process. */
    private static final int MOST_FUNCTIONS = 64;

    /** The functions of the process, and those that it has found. */
    public final Handles<StoredFunction> handles;

    /** The regions and queue pairs of the process. */
    public final RegionUser regions;

    final Container container;
    final List<StoredFunction> functions = new ArrayList<>();

    private final Rights rights;
    private final DeviceRunner device;
    private final ArrayDeque<Call> unused = new ArrayDeque<>();

    /** Queue pairs that wait for room. */
    private final ArrayDeque<Caller> waiting = new ArrayDeque<>();

    private int underWay;
    private int bytes;
    private boolean gone;

    FunctionUser(RegionUser regions, Rights rights, CallPlaces places) {
        this.container = regions.container;
        this.regions = regions;
        this.rights = rights;
        this.handles = new Handles<>(container, regions::changed);
        this.device = new DeviceRunner(this, places);
    }

    /**
     * Whether the process may register another function.
     *
     * @return false if it has too many
     */
    public boolean hasRoomForFunction() {
        return functions.size() < MOST_FUNCTIONS && handles.hasRoom();
    }

    @Override
    public boolean hasRoom(Caller caller) {
        if (underWay == 0 || bytes < MOST_BYTES) {
            return true;
        }
        waiting.add(caller);
        return false;
    }

    @Override
    public void begin(Operation operation, Caller caller, long nowNs) {
        int status = check(operation);
        if (status != OperationStatus.OK) {
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
        call.flags = operation.operand();
        call.postedNs = operation.secondOperand();
        call.footprint = call.function.footprint();
        underWay++;
        bytes += call.footprint;
        device.begin(call, nowNs);
    }

    private int check(Operation operation) {
        Handle<StoredFunction> handle = handles.handle(operation.target());
        if (handle == null) {
            return OperationStatus.NO_REGION;
        }
        StoredFunction function = handle.target;
        if (!function.isOpen()) {
            return OperationStatus.GONE;
        }
        if ((handle.rights(rights) & RegionMessage.CALL) == 0) {
            return OperationStatus.DENIED;
        }
        long flags = operation.operand();
        if ((flags & ~CallFlags.ALL) != 0) {
            return OperationStatus.CODE;
        }
        if ((flags & CallFlags.RESUME) != 0 && !mayRun(function)) {
            return OperationStatus.DENIED;
        }
        int room = operation.length();
        boolean returnable = (flags & CallFlags.RETURNABLE) != 0;
        int least = function.messageLength() + (returnable ? function.stateLength() : 0);
        return room < least
                ? OperationStatus.BUFFER
                : regions.handles.checkBuffer(operation.buffer(), operation.bufferOffset(), room);
    }

    /**
     * Whether the process may run a function itself, or see the state of a run: whether it may do all that the function can.
     *
     * @param function that it may call
     * @return false if it lacks a right to a region
     */
    public boolean mayRun(StoredFunction function) {
        for (int i = 0; i < function.regionCount(); i++) {
            int given = rights.of(function.region(i), container);
            if ((given & function.neededRights) != function.neededRights) {
                return false;
            }
        }
        return true;
    }

    /** Ends a call: tells its queue pair, and uses the record again. */
    void end(Call call, long value, int status) {
        if (call.run != null) {
            call.function.giveRun(call.run);
            call.run = null;
        }
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
        call.delayNs = 0;
        if (gone) {
            return;
        }
        unused.push(call);
        caller.ended(id, value, status, delayNs);
        while (!waiting.isEmpty() && bytes < MOST_BYTES) {
            waiting.poll().roomForCalls();
        }
    }

    @Override
    public void leave() {
        gone = true;
        waiting.clear();
        device.leave();
        for (StoredFunction function : List.copyOf(functions)) {
            function.close();
        }
        handles.releaseAll();
    }

    /** The region of a handle of the process's own; null if there is none. */
    Region ownRegion(int number) {
        Handle<Region> handle = regions.handles.handle(number);
        return handle != null && handle.isOwners() && handle.target.isOpen() ? handle.target : null;
    }
}
