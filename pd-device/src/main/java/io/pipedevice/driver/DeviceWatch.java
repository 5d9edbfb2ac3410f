// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.device.Device;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;

/**
 * Notices a device that stopped completing, and resets it; one that does not come back from that is lost, and is closed.
 * A device that goes on, but has lost a command, is first given nothing more to do, and then reset.
 * Belongs to the driver's thread.
 */
final class DeviceWatch {
    private static final System.Logger LOG = System.getLogger(DeviceWatch.class.getName());

    /** One that has nothing to do but what it lost is given so long to be found idle. */
    private static final long DRAIN_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** No look at the time is late by so much while the driver runs. */
    private static final long MIN_PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final Device device;
    private final CopyScheduler copies;
    private final Completions completions;
    private final CopyScheduler.Faults faults;
    private final DriverCounters counters;
    private final long timeoutNs;
    private final long pauseNs;
    private boolean progressed;
    private long progressAtNs;
    private long lookedAtNs;
    private long checkedAtNs;
    private boolean draining;

    /**
     * Begins to watch.
     *
     * @param timeoutNs a device that completes nothing for so long has stopped, unless it needs longer
     */
    DeviceWatch(
            Device device,
            CopyScheduler copies,
            Completions completions,
            CopyScheduler.Faults faults,
            DriverCounters counters,
            long timeoutNs) {
        this.device = device;
        this.timeoutNs = Math.max(timeoutNs, device.patienceNs());
        this.pauseNs = Math.max(this.timeoutNs / 2, MIN_PAUSE_NS);
        this.copies = copies;
        this.completions = completions;
        this.faults = faults;
        this.counters = counters;
    }

    /** The device completed something since the last look at the time. */
    void progress() {
        progressed = true;
    }

    /** Whether the device does not work any more. */
    boolean isLost() {
        return completions.isAbandoned();
    }

    /** Looks at the time. */
    void check(long nowNs) {
        if (nowNs - checkedAtNs > pauseNs) {
            // The driver stood still itself, and nobody took what the device completed meanwhile.
            progressed = true;
            lookedAtNs = nowNs;
        }
        checkedAtNs = nowNs;
        if (progressed) {
            progressed = false;
            progressAtNs = nowNs;
        }
        if (completions.outstanding() == 0) {
            progressAtNs = nowNs;
            lookedAtNs = nowNs;
            drain(false);
        } else if (nowNs - progressAtNs > (draining ? DRAIN_NS : timeoutNs)) {
            counters.deviceErrors.add(1);
            LOG.log(
                    Level.ERROR,
                    "device {0} completed none of {1} commands for {2} ms: reset",
                    device.name(),
                    completions.outstanding(),
                    TimeUnit.NANOSECONDS.toMillis(nowNs - progressAtNs));
            reset();
            progressAtNs = nowNs;
            drain(false);
        } else if (nowNs - lookedAtNs > timeoutNs) {
            lookedAtNs = nowNs;
            if (completions.failStuck(faults) > 0) {
                // Nobody else's command is to suffer from the reset that ends those that are lost.
                drain(true);
            }
        }
    }

    private void drain(boolean on) {
        draining = on;
        copies.hold(on);
    }

    private void reset() {
        try {
            device.reset();
            completions.complete(faults);
            completions.forgetOutstanding(faults);
        } catch (IOException e) {
            LOG.log(Level.ERROR, "device {0} is lost: {1}", device.name(), e.getMessage());
            device.close();
            completions.abandon(faults);
        }
    }
}
