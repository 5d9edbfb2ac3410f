// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.guard;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceCapabilities;
import io.pipedevice.device.DeviceHealth;
import io.pipedevice.device.DeviceLane;
import io.pipedevice.device.DeviceMapping;
import io.pipedevice.device.emulator.DmaEmulator;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A device that may fail, and an emulator that executes, once, the commands that the device did not. To its user it is
 * a device that completes every command, each once and in order.
 *
 * <p>The emulator executes a command that the device fails. A device that violates its contract, or completes nothing
 * on a lane for too long, is reset, and the emulator executes all its commands. It does no harm to repeat a copy that
 * was already made, because before the completion the source is not reused and the destination is not published. A
 * device that has to be reset too often, or does not recover, is taken out of service, and the emulator continues
 * alone.
 *
 * <p>Threads: as for {@link Device}. Owns the device.
 */
public final class GuardedDevice implements Device {
    private static final System.Logger LOG = new LazyLogger(GuardedDevice.class).get();
    private static final long LOOK_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long RESETS_WINDOW_NS = TimeUnit.MINUTES.toNanos(1);
    private static final int MAX_RESETS = 3;
    private static final int MAX_FAILURES_IN_LOG = 20;
    private static final int TURN_COMMANDS = 64;

    private final Device device;
    private final DmaEmulator emulator;
    private final DeviceHealth health;
    private final GuardedAddresses addresses = new GuardedAddresses();
    private final GuardedLane[] lanes;
    private final long timeoutNs;
    private final Command again = new Command();
    private final long[] resetsNs = new long[MAX_RESETS];
    private int resets;
    private int failures;
    private long lookedNs = System.nanoTime();
    private boolean inService = true;
    private boolean closed;

    /**
     * Guards a device.
     *
     * @param device a single piece of hardware, owned by the guard from now on
     * @param timeoutNs how long a lane may complete nothing before the device is reset, unless the device needs longer
     */
    public GuardedDevice(Device device, long timeoutNs) {
        this.device = device;
        this.timeoutNs = Math.max(timeoutNs, device.patienceNs());
        this.health = device.health().getFirst();
        DeviceCapabilities can = device.capabilities();
        emulator = new DmaEmulator(new DmaEmulator.Context()
                .lanes(can.lanes())
                .queueDepth(2)
                .maxTransfer(Math.max(can.maxTransfer(), DmaEmulator.MIN_MAX_TRANSFER)));
        lanes = new GuardedLane[can.lanes()];
        for (int i = 0; i < lanes.length; i++) {
            lanes[i] = new GuardedLane(this, i, device.lane(i), can.queueDepth());
        }
    }

    /**
     * Guards a device that was just created.
     *
     * @param device as for the constructor; closed if it cannot be guarded
     * @param timeoutNs as for the constructor
     * @return the guarded device, for the caller to close
     */
    public static Device guard(Device device, long timeoutNs) {
        try {
            return new GuardedDevice(device, timeoutNs);
        } catch (RuntimeException | Error e) {
            device.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return device.name();
    }

    @Override
    public DeviceCapabilities capabilities() {
        return device.capabilities();
    }

    /** Longer than the guard's own timeout, so that the guard acts first. */
    @Override
    public long patienceNs() {
        return 2 * timeoutNs;
    }

    @Override
    public List<DeviceHealth> health() {
        return List.of(health);
    }

    void count(DeviceHealth.Event event) {
        health.count(event);
    }

    void copied(int length) {
        health.copied(length);
    }

    @Override
    public DeviceMapping map(MemorySegment memory, DeviceMapping.Access access) throws IOException {
        DeviceMapping emulated = emulator.map(memory, access);
        if (!inService) {
            return new GuardedMapping(addresses, emulated, emulated, memory.byteSize());
        }
        try {
            return new GuardedMapping(addresses, device.map(memory, access), emulated, memory.byteSize());
        } catch (IOException | RuntimeException e) {
            emulated.close();
            throw e;
        }
    }

    @Override
    public DeviceLane lane(int index) {
        return lanes[index];
    }

    @Override
    public int poll() {
        int work = 0;
        if (inService) {
            work = pollDevice();
            watch();
        }
        if (!inService) {
            for (GuardedLane lane : lanes) {
                work += lane.emulate(TURN_COMMANDS);
            }
        }
        return work;
    }

    private int pollDevice() {
        try {
            return device.poll();
        } catch (RuntimeException e) {
            broken("threw " + e);
            return 0;
        }
    }

    private void watch() {
        long nowNs = System.nanoTime();
        long sinceNs = nowNs - lookedNs;
        if (sinceNs < LOOK_INTERVAL_NS) {
            return;
        }
        lookedNs = nowNs;
        for (GuardedLane lane : lanes) {
            if (sinceNs > timeoutNs / 2) {
                lane.lookedAway(nowNs);
            } else if (inService && lane.isStuck(nowNs, timeoutNs)) {
                broken("completed nothing of a lane for " + TimeUnit.NANOSECONDS.toMillis(timeoutNs) + " ms");
            }
        }
    }

    /** Counts and logs a failed command. The device no longer touches the command's memory. */
    void failed(int status) {
        health.count(DeviceHealth.Event.ERROR);
        if (failures < MAX_FAILURES_IN_LOG) {
            failures++;
            LOG.log(
                    Level.WARNING,
                    "device {0} failed a command with status {1}: the emulator executes it{2}",
                    name(),
                    status,
                    failures == MAX_FAILURES_IN_LOG ? " (no more of this is logged)" : "");
        }
    }

    /** Resets a device that can no longer be trusted, and has the emulator execute its commands. */
    void broken(String reason) {
        health.count(DeviceHealth.Event.ERROR);
        LOG.log(Level.ERROR, "device {0} {1}: reset", name(), reason);
        recover();
    }

    private void recover() {
        health.count(DeviceHealth.Event.RESET);
        boolean lost = false;
        try {
            device.reset();
        } catch (IOException | RuntimeException e) {
            LOG.log(Level.ERROR, "device {0} is lost: {1}", name(), e instanceof IOException ? e.getMessage() : e);
            lost = true;
        }
        long nowNs = System.nanoTime();
        boolean tooOften = resets >= MAX_RESETS - 1 && nowNs - resetsNs[(resets + 1) % MAX_RESETS] < RESETS_WINDOW_NS;
        resetsNs[resets % MAX_RESETS] = nowNs;
        resets++;
        if (lost || tooOften) {
            takeOutOfService();
        }
        for (GuardedLane lane : lanes) {
            lane.takeBack();
            lane.lookedAway(nowNs);
        }
    }

    private void takeOutOfService() {
        LOG.log(Level.ERROR, "device {0} is out of service: the emulator continues alone", name());
        inService = false;
        health.count(DeviceHealth.Event.OUT_OF_SERVICE);
        try {
            device.close();
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "device {0} cannot be closed: {1}", name(), e);
        }
        for (GuardedLane lane : lanes) {
            lane.takeOutOfService();
        }
    }

    /** Executes a command that names the device's addresses; returns its status. */
    int emulate(int index, Command command) {
        health.count(DeviceHealth.Event.EMULATED);
        again.set(
                command.type(),
                addresses.translate(command.source()),
                addresses.translate(command.destination()),
                command.length(),
                command.containerId(),
                command.connectionId(),
                command.tableId(),
                command.entrySequence(),
                command.tag());
        DeviceLane lane = emulator.lane(index);
        lane.submit(again);
        lane.flush();
        emulator.poll();
        boolean executed = lane.complete(again);
        lane.flushCompletions();
        return executed ? again.tag() : CommandType.STATUS_DEVICE;
    }

    @Override
    public void onInterrupt(Runnable handler) {
        device.onInterrupt(handler);
    }

    @Override
    public void reset() throws IOException {
        if (closed) {
            throw new IOException(name() + " is closed");
        }
        if (inService) {
            recover();
        } else {
            for (GuardedLane lane : lanes) {
                lane.emulate(Integer.MAX_VALUE);
            }
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            try {
                device.close();
            } finally {
                emulator.close();
            }
        }
    }

    @Override
    public String toString() {
        return "GuardedDevice{" + device + (inService ? "" : ", out of service") + '}';
    }
}
