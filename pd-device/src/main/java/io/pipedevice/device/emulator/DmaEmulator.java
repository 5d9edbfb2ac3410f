// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.emulator;

import static io.pipedevice.queue.CommandQueueDescriptor.DEFAULT_DEPTH;
import static io.pipedevice.queue.CommandQueueDescriptor.requiredLength;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceCapabilities;
import io.pipedevice.device.DeviceHealth;
import io.pipedevice.device.DeviceLane;
import io.pipedevice.device.DeviceMapping;
import io.pipedevice.queue.CommandConsumer;
import io.pipedevice.queue.CommandProducer;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;

/**
 * A DMA engine in software. It serves its lanes in turn, a bounded batch each. It posts completions in batches, and
 * raises an interrupt only if one was requested.
 *
 * <p>The engine runs on the driver's thread, within {@link #poll}, or on a thread of its own ({@link EngineThread}). It
 * translates and checks the addresses of commands. A wrong address, or memory that its owner freed too early, fails
 * that command and nothing else.
 *
 * <p>Threads: as for {@link Device}. Owns the memory of its queues.
 */
public final class DmaEmulator implements Device {
    private static final String NAME = "dma-emulator";

    /** Smallest value of {@link Context#maxTransfer}, that of the paper's FPGA, in bytes. */
    public static final int MIN_MAX_TRANSFER = 4 << 10;

    /** Largest value of {@link Context#maxTransfer}, in bytes. */
    public static final int MAX_MAX_TRANSFER = 1 << 20;

    /** Default of {@link Context#maxTransfer}, in bytes. */
    public static final int DEFAULT_MAX_TRANSFER = 64 << 10;

    /** Default of {@link Context#sqThreshold} and {@link Context#cqThreshold}, in entries. */
    public static final int DEFAULT_THRESHOLD = 32;

    /** Largest number of lanes. */
    public static final int MAX_LANES = 1024;

    private static final long PAGE = 4096;

    private final DeviceCapabilities capabilities;
    private final DeviceHealth health = new DeviceHealth(NAME);
    private final EngineMaker maker;
    private final Arena arena = Arena.ofShared();
    private final AddressTable addresses = new AddressTable();
    private final CommandProducer[] submissions;
    private final EmulatorLane[] lanes;
    private final Engine engine;
    private final EngineHost host;
    private volatile Runnable interruptHandler = () -> {};
    private boolean closed;

    /**
     * Starts an emulator.
     *
     * @param context its parameters
     * @throws IllegalArgumentException if one is out of range; the message names it and the allowed values
     */
    public DmaEmulator(Context context) {
        this(context, EngineMaker.WORKING);
    }

    /** Starts an emulator with an engine of a test. */
    DmaEmulator(Context context, EngineMaker maker) {
        this.maker = maker;
        context.check();
        int depth = context.queueDepth;
        int count = context.lanes;
        int sqThreshold = context.threshold(context.sqThreshold);
        int cqThreshold = context.threshold(context.cqThreshold);
        capabilities = new DeviceCapabilities(context.maxTransfer, 1, count, depth, false);
        submissions = new CommandProducer[count];
        lanes = new EmulatorLane[count];
        EngineLane[] engineLanes = new EngineLane[count];
        Interrupt[] interrupts = new Interrupt[count];
        CommandConsumer[] completions = new CommandConsumer[count];
        for (int i = 0; i < count; i++) {
            MemorySegment sq = arena.allocate(requiredLength(depth), PAGE);
            MemorySegment cq = arena.allocate(requiredLength(depth), PAGE);
            interrupts[i] = new Interrupt(this::interrupt);
            submissions[i] = new CommandProducer(sq, depth, sqThreshold);
            completions[i] = new CommandConsumer(cq, depth, cqThreshold);
            engineLanes[i] = new EngineLane(
                    new CommandConsumer(sq, depth, sqThreshold),
                    new CommandProducer(cq, depth, cqThreshold),
                    interrupts[i]);
        }
        engine = maker.make(engineLanes, addresses, context.maxTransfer);
        host = new EngineHost(engine);
        for (int i = 0; i < count; i++) {
            lanes[i] = new EmulatorLane(submissions[i], completions[i], interrupts[i], host, depth, health);
        }
        maker.attach(this::wake);
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public DeviceCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public DeviceMapping map(MemorySegment memory, DeviceMapping.Access access) throws IOException {
        return new EmulatorMapping(this, addresses.add(memory, access));
    }

    void unmap(AddressTable.Entry entry) {
        addresses.remove(entry);
        if (!closed) {
            host.shut();
            host.open();
        }
    }

    @Override
    public DeviceLane lane(int index) {
        return lanes[index];
    }

    @Override
    public int poll() {
        return host.poll();
    }

    @Override
    public void onInterrupt(Runnable handler) {
        interruptHandler = handler;
    }

    private void interrupt() {
        interruptHandler.run();
    }

    /** Wakes the thread that runs the engine, because it works again. Any thread. */
    private void wake() {
        host.ring();
        if (!host.isHosted()) {
            interrupt();
        }
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
        if (!maker.reset()) {
            throw new IOException(name() + " does not answer");
        }
        host.shut();
        try {
            for (CommandProducer queue : submissions) {
                queue.flush();
            }
            engine.drain(CommandType.STATUS_RESET);
            for (int i = 0; i < lanes.length; i++) {
                lanes[i].resynchronise(engine.lanes[i].available());
            }
        } finally {
            host.open();
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            host.shut();
            host.stop();
            arena.close();
        }
    }

    EngineHost host() {
        return host;
    }

    @Override
    public String toString() {
        return "DmaEmulator{" + capabilities + (host.isHosted() ? ", own thread" : "") + '}';
    }

    /** Parameters of an emulator. Not thread safe; may be used for several emulators. */
    public static final class Context {
        private int lanes = 1;
        private int queueDepth = DEFAULT_DEPTH;
        private int sqThreshold;
        private int cqThreshold;
        private int maxTransfer = DEFAULT_MAX_TRANSFER;

        /** Creates a context with the default values. */
        public Context() {}

        /**
         * Number of lanes.
         *
         * @param count 1 to {@link #MAX_LANES}; default 1
         * @return this
         */
        public Context lanes(int count) {
            lanes = count;
            return this;
        }

        /**
         * Depth of each submission and completion queue.
         *
         * @param entries a power of two, 2 to 65536; default 1024
         * @return this
         */
        public Context queueDepth(int entries) {
            queueDepth = entries;
            return this;
        }

        /**
         * Entries after which a submission queue's positions are published without a flush (Table 3).
         *
         * @param entries 1 to the depth; 0, the default, for {@link #DEFAULT_THRESHOLD} or the depth if that is less
         * @return this
         */
        public Context sqThreshold(int entries) {
            sqThreshold = entries;
            return this;
        }

        /**
         * Entries after which a completion queue's positions are published within a lane's turn (Table 3). They are
         * always published at the end of the turn.
         *
         * @param entries 1 to the depth; 0, the default, for {@link #DEFAULT_THRESHOLD} or the depth if that is less
         * @return this
         */
        public Context cqThreshold(int entries) {
            cqThreshold = entries;
            return this;
        }

        /**
         * Longest copy of one command.
         *
         * @param bytes {@link #MIN_MAX_TRANSFER} to {@link #MAX_MAX_TRANSFER}; default {@link #DEFAULT_MAX_TRANSFER}
         * @return this
         */
        public Context maxTransfer(int bytes) {
            maxTransfer = bytes;
            return this;
        }

        private int threshold(int configured) {
            return configured == 0 ? Math.min(DEFAULT_THRESHOLD, queueDepth) : configured;
        }

        private void check() {
            if (lanes < 1 || lanes > MAX_LANES) {
                throw new IllegalArgumentException("lanes must be 1 to " + MAX_LANES + ": " + lanes);
            }
            if (maxTransfer < MIN_MAX_TRANSFER || maxTransfer > MAX_MAX_TRANSFER) {
                throw new IllegalArgumentException("maxTransfer must be " + MIN_MAX_TRANSFER + " to " + MAX_MAX_TRANSFER
                        + " bytes: " + maxTransfer);
            }
        }
    }
}
