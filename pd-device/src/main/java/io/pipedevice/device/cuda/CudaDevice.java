// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import io.pipedevice.device.Device;
import io.pipedevice.device.DeviceCapabilities;
import io.pipedevice.device.DeviceHealth;
import io.pipedevice.device.DeviceLane;
import io.pipedevice.device.DeviceMapping;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.queue.CommandQueueDescriptor;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * An NVIDIA GPU that copies between rings in the host's memory. The processor writes a few words for each command, and
 * reads one.
 *
 * <p>A GPU raises no interrupt that a program could wait for, so the driver does not sleep while commands are under
 * way. An error of the GPU ends its context, and with it all commands; {@link #reset} makes a new one. Until then
 * {@link #poll} throws.
 *
 * <p>Threads: as for {@link Device}. Owns its context, and the memory of its queues.
 */
public final class CudaDevice implements Device {
    /** What copies. */
    public enum Engine {
        /** A kernel for each lane: no call of CUDA for a copy. */
        KERNEL,

        /** The copy engines, with a stop in the GPU's memory: no multiprocessor is occupied. */
        COPY_ENGINES
    }

    private static final System.Logger LOG = new LazyLogger(CudaDevice.class).get();

    /** Another user of the GPU may have it for some milliseconds at a time. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);

    /** Polls between two checks of the context: about a millisecond of a driver that waits. */
    private static final int CHECK_POLLS = 4096;

    private final String name;
    private final DeviceCapabilities capabilities;
    private final DeviceHealth health;
    private final Arena arena = Arena.ofShared();
    private final CudaContext context;
    private final CudaMemory memory;
    private final CudaLane[] lanes;

    /**
     * Why the context is of no use, or is no more; null while it works. Then nothing that was created in it is used.
     */
    private CudaException failure;

    private int polls;

    /** The lane whose queue tells of the context at the next check. */
    private int asked;

    private boolean closed;

    /**
     * Starts a device.
     *
     * @param index of the GPU, from 0
     * @param parameters of the device
     * @throws IOException if there is no such GPU, or it cannot be used; the message gives the reason
     */
    public CudaDevice(int index, Context parameters) throws IOException {
        CudaLibrary library = CudaGpu.load(parameters.library);
        List<CudaGpu> gpus = CudaGpu.list(library);
        if (index < 0 || index >= gpus.size()) {
            throw new IOException("there is no GPU " + index + ": this process sees " + gpus.size());
        }
        CudaGpu gpu = gpus.get(index);
        if (!gpu.obstacles().isEmpty()) {
            throw new IOException("GPU " + index + ", " + gpu.name() + ": " + String.join("; ", gpu.obstacles()));
        }
        name = "cuda " + gpu.name() + (parameters.engine == Engine.KERNEL ? "" : ", copy engines");
        health = new DeviceHealth(name);
        capabilities = new DeviceCapabilities(parameters.maxTransfer, 1, parameters.lanes, parameters.queueDepth, true);
        lanes = new CudaLane[parameters.lanes];
        context = new CudaContext(library, gpu);
        memory = new CudaMemory(context);
        try {
            for (int i = 0; i < lanes.length; i++) {
                lanes[i] = new CudaLane(this, memory, queue(parameters), parameters.queueDepth, parameters.maxTransfer);
            }
            begin();
        } catch (IOException | RuntimeException | Error e) {
            close();
            throw e;
        }
    }

    private CopyQueue queue(Context parameters) throws IOException {
        return parameters.engine == Engine.KERNEL
                ? new KernelQueue(context, memory, arena, parameters.queueDepth)
                : new EngineQueue(context, memory, arena, parameters.queueDepth, parameters.maxTransfer);
    }

    private void begin() throws IOException {
        for (CudaLane lane : lanes) {
            lane.queue().begin();
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public DeviceCapabilities capabilities() {
        return capabilities;
    }

    @Override
    public long patienceNs() {
        return PATIENCE_NS;
    }

    @Override
    public List<DeviceHealth> health() {
        return List.of(health);
    }

    private final class Mapping implements DeviceMapping {
        private final MemorySegment segment;
        private boolean unmapped;

        Mapping(MemorySegment segment) {
            this.segment = segment;
        }

        @Override
        public long address() {
            return segment.address();
        }

        @Override
        public void close() {
            if (!unmapped && !closed) {
                unmapped = true;
                unmap(segment);
            }
        }
    }

    @Override
    public DeviceMapping map(MemorySegment segment, DeviceMapping.Access access) throws IOException {
        if (closed) {
            throw new IOException(name + " is closed");
        }
        if (failure == null) {
            try {
                memory.register(segment, access);
                return new Mapping(segment);
            } catch (IOException e) {
                check();
                if (failure == null) {
                    throw e;
                }
            }
        }
        // The context is lost, and a reset makes the next one.
        memory.registerLater(segment, access);
        return new Mapping(segment);
    }

    /** First finishes all copies: CUDA ends a registration only when no kernel runs. */
    private void unmap(MemorySegment segment) {
        if (failure == null) {
            try {
                finishAll();
                stopAll();
                memory.unregister(segment);
                return;
            } catch (CudaException e) {
                failed(e);
            }
        }
        // The memory may be freed now, so the GPU must not be able to reach it.
        context.destroy();
        memory.forget(segment);
    }

    private void finishAll() throws CudaException {
        for (CudaLane lane : lanes) {
            long finished = -1;
            long deadline = 0;
            while (lane.isBusy()) {
                if (finished != lane.queue().finished()) {
                    finished = lane.queue().finished();
                    deadline = System.nanoTime() + PATIENCE_NS;
                }
                lane.queue().flush();
                await(deadline);
            }
        }
    }

    private void stopAll() throws CudaException {
        long deadline = System.nanoTime() + PATIENCE_NS;
        for (CudaLane lane : lanes) {
            lane.queue().stop();
        }
        for (CudaLane lane : lanes) {
            while (!lane.queue().isStopped()) {
                await(deadline);
            }
        }
    }

    private void await(long deadline) throws CudaException {
        Thread.onSpinWait();
        checkNowAndThen();
        if (failure != null) {
            throw failure;
        }
        if (System.nanoTime() - deadline > 0) {
            throw new CudaException(name, CudaLibrary.NOT_READY, "does not stop");
        }
    }

    @Override
    public DeviceLane lane(int index) {
        return lanes[index];
    }

    /** Has the GPU work on a queue. */
    void flush(CopyQueue queue) {
        if (failure == null) {
            try {
                queue.flush();
            } catch (CudaException e) {
                failed(e);
            }
        }
    }

    private void failed(CudaException e) {
        if (failure == null) {
            failure = e;
        }
    }

    /** Executes no commands, because the GPU does. Now and then checks whether the GPU has lost its context. */
    @Override
    public int poll() {
        checkNowAndThen();
        if (failure != null) {
            throw new IllegalStateException(failure.getMessage(), failure);
        }
        return 0;
    }

    private void checkNowAndThen() {
        if (++polls == CHECK_POLLS) {
            polls = 0;
            check();
        }
    }

    private void check() {
        if (failure == null) {
            asked = (asked + 1) % lanes.length;
            try {
                lanes[asked].queue().check();
            } catch (CudaException e) {
                failed(e);
            }
        }
    }

    /** There are none; see the class. */
    @Override
    public void onInterrupt(Runnable handler) {}

    @Override
    public void reset() throws IOException {
        if (closed) {
            throw new IOException(name + " is closed");
        }
        if (failure == null) {
            try {
                stopAll();
                for (CudaLane lane : lanes) {
                    lane.queue().check();
                }
            } catch (CudaException e) {
                LOG.log(Level.WARNING, "{0} gets a new context: {1}", name, e.getMessage());
                failed(e);
            }
        }
        boolean lost = failure != null;
        if (lost) {
            context.destroy();
        }
        for (CudaLane lane : lanes) {
            lane.afterReset();
        }
        if (lost) {
            context.create();
            memory.registerAgain();
            begin();
            failure = null;
        } else {
            for (CudaLane lane : lanes) {
                lane.queue().clear();
            }
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            for (CudaLane lane : lanes) {
                if (lane != null) {
                    lane.queue().stop();
                }
            }
            context.destroy();
            arena.close();
        }
    }

    @Override
    public String toString() {
        return "CudaDevice{" + name + ", " + capabilities + '}';
    }

    /** Parameters of a device. Not thread safe. */
    public static final class Context {
        private static final int MAX_LANES = 64;

        private int lanes = 4;
        private int queueDepth = CommandQueueDescriptor.DEFAULT_DEPTH;
        private int maxTransfer = 64 << 10;
        private Engine engine = Engine.KERNEL;
        private String library;

        /** Creates a context with the default values. */
        public Context() {}

        /**
         * Number of lanes. Each busy lane of {@link Engine#KERNEL} occupies one of the GPU's multiprocessors.
         *
         * @param count at least 1; at most 64 are used; default 4
         * @return this
         */
        public Context lanes(int count) {
            lanes = Math.min(count, MAX_LANES);
            return this;
        }

        /**
         * Depth of each lane's queue.
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
         * Longest copy of one command.
         *
         * @param bytes at least 1; default 64 KB
         * @return this
         */
        public Context maxTransfer(int bytes) {
            maxTransfer = bytes;
            return this;
        }

        /**
         * What copies.
         *
         * @param kind default {@link Engine#KERNEL}
         * @return this
         */
        public Context engine(Engine kind) {
            engine = kind;
            return this;
        }

        /**
         * CUDA's driver library.
         *
         * @param file or name of the library; null, the default, for the one that the dynamic linker finds
         * @return this
         */
        public Context library(String file) {
            library = file;
            return this;
        }
    }
}
