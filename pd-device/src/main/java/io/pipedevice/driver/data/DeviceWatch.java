// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.device.Device;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.linux.LazyLogger;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;

/**
 * Detects a device that has stopped completing commands, and resets it. A device that does not recover is lost, and is
 * closed. If a device works but has lost a command, this stops submission first and resets the device then. Belongs to
 * the driver's thread.
 */
public final class DeviceWatch {
    private static final System.Logger LOG = new LazyLogger(DeviceWatch.class).get();

    /**
     * After submission has stopped: how long a device may complete nothing before its remaining commands count as lost.
     */
    private static final long DRAIN_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Checks are never delayed by this much while the driver runs. */
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
     * @param device is watched
     * @param copies stopped while the device is reset
     * @param completions counts the device's completions
     * @param faults is informed of the connections whose commands are lost
     * @param counters of the driver
     * @param timeoutNs how long a device may complete nothing, unless it needs longer
     */
    public DeviceWatch(
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

    /** Records that the device completed a command. */
    public void progress() {
        progressed = true;
    }

    /**
     * Whether the device is lost and executes nothing any more.
     *
     * @return true once a reset has failed
     */
    public boolean isLost() {
        return completions.isAbandoned();
    }

    /**
     * Checks for a timeout.
     *
     * @param nowNs the time
     */
    public void check(long nowNs) {
        if (nowNs - checkedAtNs > pauseNs) {
            // The driver itself did not run, so it took no completions meanwhile.
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
                // Let the other commands complete before the reset that ends the lost ones.
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
