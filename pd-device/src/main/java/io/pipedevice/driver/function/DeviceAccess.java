// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import io.pipedevice.active.code.RegionMemory;
import io.pipedevice.active.message.RegionAccess;
import io.pipedevice.active.message.RegionOperation;
import io.pipedevice.active.operation.OperationStatus;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.data.OperationCopies;
import io.pipedevice.driver.region.RegisteredRegion;
import io.pipedevice.driver.share.Share;

/**
 * The operations of calls at the device, which the driver's thread executes itself. After some work it lets a run wait
 * for its next turn. Belongs to the driver's thread.
 */
final class DeviceAccess implements RegionAccess {
    private final OperationCopies copies;
    private AttachedProcess process;
    private StoredFunction function;
    private long nowNs;
    private long leftNs;
    private boolean throttled;

    DeviceAccess(OperationCopies copies) {
        this.copies = copies;
    }

    /** Begins a turn of a call. */
    void begin(Call call, long now) {
        process = call.user.process();
        function = call.function;
        nowNs = now;
        leftNs = Share.SOCKET_TURN_NS;
        throttled = false;
    }

    /** Whether the run waits because the process has used up its rate. */
    boolean isThrottled() {
        return throttled;
    }

    @Override
    public long size(int region) {
        RegisteredRegion target = function.region(region);
        return target == null ? 0 : target.size();
    }

    @Override
    public boolean execute(RegionOperation operation) {
        if (leftNs <= 0) {
            return false;
        }
        if (operation.code() == RegionOperation.YIELD) {
            return true;
        }
        if (copies.allowed(process, nowNs) == 0) {
            throttled = true;
            return false;
        }
        RegisteredRegion region = function.region(operation.region());
        if (region == null || !region.isOpen()) {
            operation.status(region == null ? OperationStatus.RANGE : OperationStatus.GONE);
            return true;
        }
        leftNs -= Share.cost(operation.length());
        copies.moved(process, operation.length());
        try {
            RegionMemory.execute(operation, region.bytes(), region.size());
        } catch (InternalError e) {
            // The JVM reports a SIGBUS in this way: the page could not be read back from a swap device.
            operation.status(OperationStatus.DEVICE);
        }
        return true;
    }
}
