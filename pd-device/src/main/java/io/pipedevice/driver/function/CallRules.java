// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import io.pipedevice.active.operation.CallFlags;
import io.pipedevice.active.operation.CallPageDescriptor;
import io.pipedevice.active.operation.OperationRequest;
import io.pipedevice.active.operation.OperationStatus;
import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.driver.region.Handle;
import io.pipedevice.driver.region.Handles;
import io.pipedevice.driver.region.RegionUser;
import io.pipedevice.driver.region.Rights;

/** Which calls a process may make. Belongs to the driver's thread. */
final class CallRules {
    private final Handles<StoredFunction> handles;
    private final RegionUser regions;
    private final Rights rights;

    CallRules(Handles<StoredFunction> handles, RegionUser regions, Rights rights) {
        this.handles = handles;
        this.regions = regions;
        this.rights = rights;
    }

    /** The status of a call that may not begin, or OK. */
    int check(OperationRequest operation) {
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
        if (!CallFlags.areKnown(flags)) {
            return OperationStatus.CODE;
        }
        if ((flags & CallFlags.RESUME) != 0 && !mayRun(function)) {
            return OperationStatus.DENIED;
        }
        int room = operation.length();
        boolean returnable = (flags & CallFlags.RETURNABLE) != 0;
        boolean hasState = (flags & (CallFlags.RETURNABLE | CallFlags.RESUME)) != 0;
        int state = CallPageDescriptor.state(function.messageLength());
        int least = returnable ? state + function.stateLength() : hasState ? state : function.messageLength();
        if (hasState && operation.bufferOffset() % Long.BYTES != 0) {
            return OperationStatus.BUFFER;
        }
        return room < least
                ? OperationStatus.BUFFER
                : regions.handles.checkBuffer(operation.buffer(), operation.bufferOffset(), room);
    }

    /** Whether the process has the rights to all that a function can do. */
    boolean mayRun(StoredFunction function) {
        for (int i = 0; i < function.regionCount(); i++) {
            int given = rights.of(function.region(i), regions.process);
            if ((given & function.neededRights) != function.neededRights) {
                return false;
            }
        }
        return true;
    }
}
