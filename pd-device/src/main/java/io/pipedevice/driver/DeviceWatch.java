// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.device.Device;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;

/**
 * Notices a device that stopped completing, and resets it; one that does not come back from that is lost, and is closed.
 * Belongs to the driver's thread.
 */
final class DeviceWatch {
    /** A device that completes nothing for so long has stopped. */
    static final long STALL_NS = TimeUnit.SECONDS.toNanos(1);

    private static final System.Logger LOG = System.getLogger(DeviceWatch.class.getName());

    private final Device device;
    private final CopyScheduler copies;
    private final DriverCounters counters;
    private long progressAtNs;
    private boolean lost;

    DeviceWatch(Device device, CopyScheduler copies, DriverCounters counters) {
        this.device = device;
        this.copies = copies;
        this.counters = counters;
    }

    void progress(long nowNs) {
        progressAtNs = nowNs;
    }

    /** Whether the device does not work any more. */
    boolean isLost() {
        return lost;
    }

    /** Looks at the time. */
    void check(long nowNs) {
        if (copies.outstanding() == 0) {
            progressAtNs = nowNs;
        } else if (nowNs - progressAtNs > STALL_NS) {
            counters.deviceErrors.add(1);
            LOG.log(
                    Level.ERROR,
                    "device {0} completed none of {1} commands for {2} ms: reset",
                    device.name(),
                    copies.outstanding(),
                    TimeUnit.NANOSECONDS.toMillis(nowNs - progressAtNs));
            reset();
            progressAtNs = nowNs;
        }
    }

    private void reset() {
        try {
            device.reset();
            copies.complete();
        } catch (IOException e) {
            lost = true;
            LOG.log(Level.ERROR, "device {0} is lost: {1}", device.name(), e.getMessage());
            device.close();
        }
        copies.forgetOutstanding();
    }
}
