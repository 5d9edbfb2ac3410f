// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.model;

import static io.pipedevice.device.fpga.FpgaDescriptor.*;

import io.pipedevice.device.DeviceMapping.Access;
import io.pipedevice.device.pci.PciFunction;
import io.pipedevice.queue.CommandQueueDescriptor;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.function.IntConsumer;

/**
 * A model of the registers of PD Stack on an FPGA. It implements exactly what docs/pd-stack.md specifies: it reaches
 * only the memory that is mapped for it, and refuses every access that the document forbids. Its pipelines work in
 * parallel and out of step.
 *
 * <p>Threads: as for {@link PciFunction}. In addition each pipeline has a thread, which sleeps while there is nothing
 * to do.
 */
public final class FpgaModel implements PciFunction {
    private final Context context;
    private final ModelMemory memory;
    private final ModelErrors errors;
    private final ModelLane[] lanes;
    private final ModelPipeline[] pipelines;
    private volatile IntConsumer interruptHandler = vector -> {};
    private volatile int scratch;
    private volatile boolean enabled;
    private volatile boolean resetting;
    private volatile boolean closed;

    /**
     * Powers the device up.
     *
     * @param context its parameters
     */
    public FpgaModel(Context context) {
        this.context = context;
        memory = new ModelMemory(context.addressBits, context.maxMappings);
        errors = new ModelErrors(() -> interruptHandler.accept(context.lanes));
        lanes = new ModelLane[context.lanes];
        for (int i = 0; i < lanes.length; i++) {
            lanes[i] = new ModelLane(i, context.queueDepth);
        }
        pipelines = new ModelPipeline[Math.min(context.pipelines, lanes.length)];
        for (int i = 0; i < pipelines.length; i++) {
            pipelines[i] = new ModelPipeline(this, i, memory, lanesOf(i), context.maxTransfer, context.seed);
            Thread thread = new Thread(pipelines[i], "pd-model-" + i);
            thread.setDaemon(true);
            thread.start();
        }
    }

    private ModelLane[] lanesOf(int pipeline) {
        ModelLane[] result = new ModelLane[(lanes.length - pipeline + pipelines.length - 1) / pipelines.length];
        for (int i = 0; i < result.length; i++) {
            result[i] = lanes[pipeline + i * pipelines.length];
        }
        return result;
    }

    @Override
    public String name() {
        return "model";
    }

    @Override
    public int registersLength() {
        return Integer.highestOneBit(lane(lanes.length) - 1) << 1;
    }

    @Override
    public int vectors() {
        return lanes.length + 1;
    }

    @Override
    public void onInterrupt(IntConsumer handler) {
        interruptHandler = handler;
    }

    @Override
    public int read(int offset) {
        checkAccess(offset);
        if (faults().isGone()) {
            return GONE;
        }
        int lane = offset / LANE_LENGTH - 1;
        if (lane >= 0) {
            return lane < lanes.length ? lanes[lane].read(offset % LANE_LENGTH) : 0;
        }
        return switch (offset) {
            case ID_OFFSET -> ID;
            case VERSION_OFFSET -> MAJOR_VERSION << 16 | MINOR_VERSION;
            case LANES_OFFSET -> lanes.length;
            case MAX_DEPTH_OFFSET -> context.queueDepth;
            case MAX_TRANSFER_OFFSET -> context.maxTransfer;
            case ALIGNMENT_OFFSET -> 1;
            case ADDRESS_BITS_OFFSET -> context.addressBits;
            case CONTROL_OFFSET -> enabled ? CONTROL_ENABLE : 0;
            case STATUS_OFFSET -> resetting ? STATUS_RESETTING : STATUS_READY;
            case ERROR_STATUS_OFFSET -> errors.status();
            case ERROR_ENABLE_OFFSET -> errors.enable();
            case ERROR_ADDRESS_LOW_OFFSET -> (int) errors.address();
            case ERROR_ADDRESS_HIGH_OFFSET -> (int) (errors.address() >>> 32);
            case ERROR_LANE_OFFSET -> errors.lane();
            case SCRATCH_OFFSET -> scratch;
            default -> 0;
        };
    }

    @Override
    public void write(int offset, int value) {
        checkAccess(offset);
        if (faults().isGone() || closed) {
            return;
        }
        if (offset == CONTROL_OFFSET && (value & CONTROL_RESET) != 0) {
            askForReset();
        } else if (!resetting) {
            int lane = offset / LANE_LENGTH - 1;
            boolean taken = lane < 0 ? writeDevice(offset, value) : writeLane(lane, offset % LANE_LENGTH, value);
            if (!taken) {
                errors.report(ERROR_ACCESS, 0, lane < 0 || lane >= lanes.length ? NO_LANE : lane);
            }
        }
    }

    private void checkAccess(int offset) {
        if (offset < 0 || offset % Integer.BYTES != 0 || offset >= registersLength()) {
            throw new IllegalArgumentException("no register of BAR 0: 0x" + Integer.toHexString(offset));
        }
    }

    private boolean writeDevice(int offset, int value) {
        switch (offset) {
            case CONTROL_OFFSET -> {
                enabled = (value & CONTROL_ENABLE) != 0;
                signalAll();
            }
            case ERROR_STATUS_OFFSET -> errors.clear(value);
            case ERROR_ENABLE_OFFSET -> errors.enable(value);
            case SCRATCH_OFFSET -> scratch = value;
            default -> {
                return false;
            }
        }
        return true;
    }

    private boolean writeLane(int index, int offset, int value) {
        if (index >= lanes.length) {
            return false;
        }
        ModelLane lane = lanes[index];
        ModelPipeline pipeline = pipelines[index % pipelines.length];
        boolean isPosition = offset >= SQ_TAIL_OFFSET && offset <= CQ_TAIL_OFFSET;
        if (isPosition || offset >= ARM_OFFSET) {
            if (lane.isActive() && !lane.isPossible(offset, value)) {
                lane.halt(ERROR_DOORBELL);
                errors.report(ERROR_DOORBELL, 0, index);
                return true;
            }
            boolean taken = lane.writeRunning(offset, value);
            pipeline.signal();
            return taken;
        }
        pipeline.lock.lock();
        try {
            if (offset != LANE_CONTROL_OFFSET) {
                return lane.configure(offset, value);
            }
            if (!lane.control(value)) {
                errors.report(ERROR_CONFIGURATION, 0, index);
            }
            return true;
        } finally {
            pipeline.lock.unlock();
        }
    }

    private void signalAll() {
        for (ModelPipeline pipeline : pipelines) {
            pipeline.signal();
        }
    }

    /** Begins a reset. Any thread. */
    void askForReset() {
        resetting = true;
        pipelines[0].signal();
    }

    /**
     * Called by pipeline 0 outside its turns: resets the device if a reset was requested and the device is able to do
     * it.
     */
    boolean resetIfAsked() {
        return resetting && faults().resetByItself() && resetAll(true);
    }

    /**
     * Resets the lanes while no pipeline has a turn.
     *
     * @param ifAsked whether to do nothing if no reset is pending: a reset by PCI may have come first, and lanes may
     *     already work again
     */
    private boolean resetAll(boolean ifAsked) {
        for (ModelPipeline pipeline : pipelines) {
            pipeline.lock.lock();
        }
        try {
            if (ifAsked && !resetting) {
                return false;
            }
            enabled = false;
            scratch = 0;
            errors.reset();
            for (ModelLane lane : lanes) {
                lane.reset();
            }
            resetting = false;
            return true;
        } finally {
            for (ModelPipeline pipeline : pipelines) {
                pipeline.lock.unlock();
            }
        }
    }

    @Override
    public void reset() throws IOException {
        faults().resetByPci();
        resetAll(false);
    }

    @Override
    public boolean pinsMemory() {
        return false;
    }

    @Override
    public long pageSize() {
        return ModelMemory.PAGE;
    }

    @Override
    public long firstAddress() {
        return ModelMemory.FIRST_ADDRESS;
    }

    @Override
    public long lastAddress() {
        return memory.lastAddress();
    }

    @Override
    public long reservedUntil(long address, long length) {
        return ModelMemory.reservedUntil(address, length);
    }

    @Override
    public void map(long address, MemorySegment segment, Access access) throws IOException {
        memory.map(address, segment, access);
    }

    /** Does nothing: the driver of this device does not use it. */
    @Override
    public void busMastering(boolean on) {
        if (!on) {
            throw new UnsupportedOperationException("the model is always a bus master");
        }
    }

    @Override
    public void unmap(long address, long length) {
        memory.unmap(address, length);
        waitForTurns();
    }

    /** Waits until every pipeline has ended its current turn. */
    private void waitForTurns() {
        for (ModelPipeline pipeline : pipelines) {
            pipeline.awaitEndOfTurn();
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            memory.clear();
            waitForTurns();
            signalAll();
        }
    }

    boolean isClosed() {
        return closed;
    }

    /** Whether lanes may work. */
    boolean works() {
        return enabled && !resetting && !faults().isStopped();
    }

    ModelFaults faults() {
        return context.faults;
    }

    ModelErrors errors() {
        return errors;
    }

    long highestAddressBit() {
        return 1L << (context.addressBits - 1);
    }

    /** Pipeline: raises a lane's interrupt. */
    void raise(int vector) {
        if (!faults().losesInterrupt()) {
            interruptHandler.accept(vector);
        }
    }

    @Override
    public String toString() {
        return "FpgaModel{" + lanes.length + " lanes, " + pipelines.length + " pipelines}";
    }

    /** Parameters of a model. Not thread safe; for one model. */
    public static final class Context {
        private static final int DEFAULT_PIPELINES = 4;
        private static final int DEFAULT_ADDRESS_BITS = 48;
        private static final int DEFAULT_MAPPINGS = 65_535;

        private int lanes = 1;
        private int pipelines = DEFAULT_PIPELINES;
        private int queueDepth = CommandQueueDescriptor.DEFAULT_DEPTH;
        private int maxTransfer = ModelMemory.PAGE;
        private int addressBits = DEFAULT_ADDRESS_BITS;
        private int maxMappings = DEFAULT_MAPPINGS;
        private long seed = System.nanoTime();
        private ModelFaults faults = new ModelFaults();

        /** Creates a context with the default values. */
        public Context() {}

        /**
         * Number of lanes.
         *
         * @param count 1 to {@link io.pipedevice.device.fpga.FpgaDescriptor#MAX_LANES}; default 1
         * @return this
         */
        public Context lanes(int count) {
            lanes = checked("lanes", count, 1, MAX_LANES);
            return this;
        }

        /**
         * Number of pipelines, each with a thread, that share the lanes.
         *
         * @param count at least 1; there are never more pipelines than lanes; default 4
         * @return this
         */
        public Context pipelines(int count) {
            pipelines = checked("pipelines", count, 1, MAX_LANES);
            return this;
        }

        /**
         * Largest depth of the queues.
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
         * Longest copy of a command.
         *
         * @param bytes 1 to 1 MB; default 4096, as the paper's
         * @return this
         */
        public Context maxTransfer(int bytes) {
            maxTransfer = checked("maxTransfer", bytes, 1, 1 << 20);
            return this;
        }

        /**
         * Bits of an address.
         *
         * @param bits 32 to 52; default 48
         * @return this
         */
        public Context addressBits(int bits) {
            addressBits = checked("addressBits", bits, 32, MAX_ADDRESS_BITS);
            return this;
        }

        /**
         * Mappings that the IOMMU can hold.
         *
         * @param count at least 2; default 65535, as Linux has it
         * @return this
         */
        public Context maxMappings(int count) {
            maxMappings = checked("maxMappings", count, 2, DEFAULT_MAPPINGS);
            return this;
        }

        /**
         * Seed of the pipelines' random behaviour.
         *
         * @param value any; by default a different one each time
         * @return this
         */
        public Context seed(long value) {
            seed = value;
            return this;
        }

        /**
         * The faults of the device, for tests.
         *
         * @param plan of this model alone; by default the device has no faults
         * @return this
         */
        public Context faults(ModelFaults plan) {
            faults = plan;
            return this;
        }

        private static int checked(String name, int value, int min, int max) {
            if (value < min || value > max) {
                throw new IllegalArgumentException(name + " must be " + min + " to " + max + ": " + value);
            }
            return value;
        }
    }
}
