// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.fpga;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceCapabilities;
import io.pipedevice.device.DeviceHealth;
import io.pipedevice.device.DeviceLane;
import io.pipedevice.device.DeviceMapping;
import io.pipedevice.device.pci.FunctionMemory;
import io.pipedevice.device.pci.PciFunction;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.queue.CommandQueueDescriptor;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * PD Stack on an FPGA (§4), driven through its registers (docs/pd-stack.md). Commands carry IOVAs, so memory is mapped
 * once and no address is translated on the data path.
 *
 * <p>Threads: as for {@link Device}. Owns the function, and the memory of the queues.
 */
public final class FpgaDevice implements Device {
    private static final System.Logger LOG = new LazyLogger(FpgaDevice.class).get();
    private static final int MAX_REPORTS = 20;

    private final PciFunction function;
    private final FpgaRegisters registers;
    private final DeviceCapabilities capabilities;
    private final DeviceHealth health;
    private final FunctionMemory reachable;
    private final Arena arena = Arena.ofShared();
    private final FpgaLane[] lanes;
    private volatile Runnable interruptHandler = () -> {};
    private volatile boolean errorReported;
    private int reports;
    private boolean identified;
    private boolean closed;

    /**
     * Starts a device.
     *
     * @param function owned by the device from now on, even if this fails
     * @param context its parameters
     * @throws IOException if the function is not a PD Stack, or does not work as specified; the message gives the
     *     reason
     */
    public FpgaDevice(PciFunction function, Context context) throws IOException {
        this.function = function;
        this.registers = new FpgaRegisters(function);
        this.health = new DeviceHealth(name());
        try {
            registers.identify();
            identified = true;
            capabilities = registers.capabilities(context.lanes, context.queueDepth);
            reachable = new FunctionMemory(function, registers.addressBits());
            lanes = new FpgaLane[capabilities.lanes()];
            function.onInterrupt(this::interrupt);
            registers.reset();
            createLanes(context);
            configure();
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private void createLanes(Context context) throws IOException {
        int depth = capabilities.queueDepth();
        int threshold = Math.min(context.threshold, depth);
        long length = align(CommandQueueDescriptor.requiredLength(depth));
        MemorySegment submissions = arena.allocate(align(length * lanes.length), function.pageSize());
        MemorySegment completions = arena.allocate(align(length * lanes.length), function.pageSize());
        long submissionsAt = map(submissions, DeviceMapping.Access.READ).address();
        long completionsAt = map(completions, DeviceMapping.Access.WRITE).address();
        for (int i = 0; i < lanes.length; i++) {
            lanes[i] = new FpgaLane(
                    registers.lane(i),
                    new FpgaQueues(
                            submissions.asSlice(i * length, length),
                            submissionsAt + i * length,
                            completions.asSlice(i * length, length),
                            completionsAt + i * length,
                            depth),
                    threshold,
                    context.holdOffMicros,
                    health);
        }
    }

    private long align(long length) {
        return length + function.pageSize() - 1 & -function.pageSize();
    }

    private void configure() throws IOException {
        registers.write(FpgaDescriptor.ERROR_ENABLE_OFFSET, reports < MAX_REPORTS ? FpgaDescriptor.ERROR_ALL : 0);
        for (FpgaLane lane : lanes) {
            lane.configure();
        }
        registers.write(FpgaDescriptor.CONTROL_OFFSET, FpgaDescriptor.CONTROL_ENABLE);
    }

    /** Called by any thread. */
    private void interrupt(int vector) {
        health.interrupted();
        if (vector < lanes.length && lanes[vector] != null) {
            lanes[vector].interrupted();
        } else {
            errorReported = true;
        }
        interruptHandler.run();
    }

    @Override
    public String name() {
        return "fpga " + function.name();
    }

    @Override
    public DeviceCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public DeviceMapping map(MemorySegment memory, DeviceMapping.Access access) throws IOException {
        return reachable.map(memory, access);
    }

    @Override
    public DeviceLane lane(int index) {
        return lanes[index];
    }

    /** Executes no commands, because the device does. Handles the errors that the device reported. */
    @Override
    public int poll() {
        if (errorReported) {
            errorReported = false;
            report();
        }
        return 0;
    }

    /**
     * Logs the reported errors, and disables the error interrupt after too many. The driver still sees the status of
     * failed commands.
     */
    private void report() {
        health.count(DeviceHealth.Event.ERROR);
        String errors = registers.takeErrors();
        if (reports == MAX_REPORTS) {
            return;
        }
        reports++;
        boolean last = reports == MAX_REPORTS;
        LOG.log(Level.WARNING, "{0} reports {1}{2}", name(), errors, last ? " (no more of this is logged)" : "");
        if (last) {
            registers.write(FpgaDescriptor.ERROR_ENABLE_OFFSET, 0);
        }
    }

    @Override
    public void onInterrupt(Runnable handler) {
        interruptHandler = handler;
    }

    @Override
    public List<DeviceHealth> health() {
        return List.of(health);
    }

    @Override
    public void reset() throws IOException {
        if (closed) {
            throw new IOException(name() + " is closed");
        }
        registers.reset();
        for (FpgaLane lane : lanes) {
            lane.afterReset();
        }
        configure();
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        try {
            if (identified) {
                registers.stop();
            }
        } finally {
            if (reachable != null) {
                reachable.close();
            }
            function.close();
            // Not reached if the close failed: the queues' memory must not be freed while the device may reach it.
            arena.close();
        }
    }

    @Override
    public String toString() {
        return "FpgaDevice{" + name() + ", " + capabilities + '}';
    }

    /** Parameters of a device. Not thread safe. */
    public static final class Context {
        private static final int DEFAULT_THRESHOLD = 32;
        private static final int DEFAULT_HOLD_OFF_MICROS = 10;
        private static final int MAX_HOLD_OFF_MICROS = 10_000;

        private int lanes = FpgaDescriptor.MAX_LANES;
        private int queueDepth = CommandQueueDescriptor.DEFAULT_DEPTH;
        private int threshold = DEFAULT_THRESHOLD;
        private int holdOffMicros = DEFAULT_HOLD_OFF_MICROS;

        /** Creates a context with the default values. */
        public Context() {}

        /**
         * Most lanes to use.
         *
         * @param count at least 1; default all
         * @return this
         */
        public Context lanes(int count) {
            lanes = checked("lanes", count, FpgaDescriptor.MAX_LANES);
            return this;
        }

        /**
         * Largest depth of each queue; less if the device does not support it.
         *
         * @param entries a power of two, 2 to 65536; default 1024
         * @return this
         */
        public Context queueDepth(int entries) {
            CommandQueueDescriptor.requiredLength(entries);
            queueDepth = entries;
            return this;
        }

        /**
         * Commands after which the doorbell is rung without a flush, and completions after which the device publishes
         * them (Table 3's sqthresh and cqthresh).
         *
         * @param entries 1 to the depth; default 32
         * @return this
         */
        public Context threshold(int entries) {
            threshold = checked("threshold", entries, CommandQueueDescriptor.MAX_DEPTH);
            return this;
        }

        /**
         * Least time between two interrupts of a lane.
         *
         * @param micros in microseconds, 0 to 10 000; default 10
         * @return this
         */
        public Context holdOffMicros(int micros) {
            holdOffMicros = micros == 0 ? 0 : checked("holdOffMicros", micros, MAX_HOLD_OFF_MICROS);
            return this;
        }

        private static int checked(String name, int value, int max) {
            if (value < 1 || value > max) {
                throw new IllegalArgumentException(name + " must be 1 to " + max + ": " + value);
            }
            return value;
        }
    }
}
