// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.fpga;

import io.pipedevice.device.pci.PciFunction;
import java.io.IOException;

/** A lane's block of registers. */
final class LaneRegisters {
    private final PciFunction function;
    private final int lane;
    private final int base;

    LaneRegisters(PciFunction function, int lane) {
        this.function = function;
        this.lane = lane;
        this.base = FpgaDescriptor.lane(lane);
    }

    int read(int offset) {
        return function.read(base + offset);
    }

    void write(int offset, int value) {
        function.write(base + offset, value);
    }

    /** Configures the queues of a disabled lane, and enables it. */
    void enable(FpgaQueues queues, int threshold, int holdOffMicros) throws IOException {
        write(FpgaDescriptor.SQ_BASE_LOW_OFFSET, (int) queues.submissionsAt());
        write(FpgaDescriptor.SQ_BASE_HIGH_OFFSET, (int) (queues.submissionsAt() >>> 32));
        write(FpgaDescriptor.CQ_BASE_LOW_OFFSET, (int) queues.completionsAt());
        write(FpgaDescriptor.CQ_BASE_HIGH_OFFSET, (int) (queues.completionsAt() >>> 32));
        write(FpgaDescriptor.DEPTH_OFFSET, queues.depth());
        write(FpgaDescriptor.CQ_THRESHOLD_OFFSET, threshold);
        write(FpgaDescriptor.HOLD_OFF_OFFSET, holdOffMicros);
        write(FpgaDescriptor.LANE_CONTROL_OFFSET, FpgaDescriptor.LANE_ENABLE);
        int status = read(FpgaDescriptor.LANE_STATUS_OFFSET);
        if (status != FpgaDescriptor.LANE_ACTIVE) {
            throw new IOException(function.name() + " does not enable lane " + lane + ": status 0x"
                    + Integer.toHexString(status) + ", error 0x"
                    + Integer.toHexString(read(FpgaDescriptor.LANE_ERROR_OFFSET)));
        }
    }
}
