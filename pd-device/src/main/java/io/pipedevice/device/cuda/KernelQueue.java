// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import static io.pipedevice.device.cuda.KernelQueueDescriptor.DESTINATION_OFFSET;
import static io.pipedevice.device.cuda.KernelQueueDescriptor.DONE_LENGTH;
import static io.pipedevice.device.cuda.KernelQueueDescriptor.ENDED_OFFSET;
import static io.pipedevice.device.cuda.KernelQueueDescriptor.ENTRIES_OFFSET;
import static io.pipedevice.device.cuda.KernelQueueDescriptor.ENTRY_LENGTH;
import static io.pipedevice.device.cuda.KernelQueueDescriptor.LENGTH_OFFSET;
import static io.pipedevice.device.cuda.KernelQueueDescriptor.SOURCE_OFFSET;
import static io.pipedevice.device.cuda.KernelQueueDescriptor.STOP_OFFSET;

import io.pipedevice.jdk.Foreign;
import io.pipedevice.linux.Memory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;
import java.util.concurrent.TimeUnit;

/**
 * A queue that a kernel on the GPU serves, one block of threads on one of its multiprocessors. The kernel sees a copy
 * by itself while it runs; no call of CUDA is needed. It ends when it was idle for a while or has run for its turn, so
 * that it occupies nothing while there is nothing to do, and other users of the GPU have theirs; and it ends even if
 * this process does not. Then the next copy launches it again.
 */
final class KernelQueue implements CopyQueue {
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);
    private static final long IDLE_NS = TimeUnit.MILLISECONDS.toNanos(2);
    private static final long TURN_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int NAP_NS = 100;

    /** Units of 4 KB that are copied before their completions are posted: what a multiprocessor has under way twice. */
    private static final int BATCH_UNITS = 64;

    private final CudaContext context;
    private final int depth;
    private final int shift;
    private final MemorySegment memory;

    /** The values of the kernel's parameters, and the addresses of these. */
    private final MemorySegment values;

    private final MemorySegment parameters;
    private long stream;
    private long function;
    private long posted;
    private long finished;

    /** Number of the last launch. */
    private long launch;

    /**
     * Creates a queue.
     *
     * @param arena of its memory, open until the context is destroyed
     */
    KernelQueue(CudaContext context, CudaMemory reachable, Arena arena, int depth) throws IOException {
        this.context = context;
        this.depth = depth;
        this.shift = Integer.numberOfTrailingZeros(depth);
        memory = arena.allocate(Memory.wholePages(KernelQueueDescriptor.length(depth)), Memory.pageSize());
        reachable.registerOwn(memory);
        long[] initial = {
            memory.address() + ENTRIES_OFFSET,
            memory.address() + KernelQueueDescriptor.doneOffset(depth),
            memory.address(),
            0,
            0,
            shift,
            IDLE_NS,
            TURN_NS,
            BATCH_UNITS,
            NAP_NS
        };
        values = Foreign.longs(arena, initial);
        parameters = arena.allocate((long) initial.length * Long.BYTES, Long.BYTES);
        for (int i = 0; i < initial.length; i++) {
            parameters.setAtIndex(ValueLayout.JAVA_LONG, i, values.address() + i * ValueLayout.JAVA_LONG.byteSize());
        }
    }

    @Override
    public void begin() throws IOException {
        context.enter();
        stream = context.stream();
        function = context.kernel();
        clear();
    }

    @Override
    public void post(long source, long destination, int length) {
        long entry = ENTRIES_OFFSET + (posted & depth - 1) * ENTRY_LENGTH;
        long stamp = KernelQueueDescriptor.stamp(posted, shift);
        WORD.setRelease(memory, entry + SOURCE_OFFSET, KernelQueueDescriptor.word(source, stamp));
        WORD.setRelease(memory, entry + DESTINATION_OFFSET, KernelQueueDescriptor.word(destination, stamp));
        // The kernel acquires by this word what the senders wrote.
        WORD.setRelease(memory, entry + LENGTH_OFFSET, KernelQueueDescriptor.word(length, stamp));
        posted++;
    }

    @Override
    public void flush() throws CudaException {
        // In this order: a kernel that has ended has posted its last completion before.
        if (hasEnded() && finished() != posted) {
            launch();
        }
    }

    private boolean hasEnded() {
        return (long) WORD.getAcquire(memory, ENDED_OFFSET) == launch;
    }

    private void launch() throws CudaException {
        values.setAtIndex(ValueLayout.JAVA_LONG, 3, finished);
        values.setAtIndex(ValueLayout.JAVA_LONG, 4, launch + 1);
        context.enter();
        CudaLibrary library = context.library();
        int result = library.call(
                CudaFunction.LAUNCH_KERNEL,
                function,
                1,
                1,
                1,
                CopyKernel.THREADS,
                1,
                1,
                0,
                stream,
                parameters.address(),
                0);
        library.check(CudaFunction.LAUNCH_KERNEL, result);
        launch++;
    }

    @Override
    public long finished() {
        long done = KernelQueueDescriptor.doneOffset(depth);
        while (finished != posted
                && (long) WORD.getAcquire(memory, done + (finished & depth - 1) * DONE_LENGTH) == finished + 1) {
            finished++;
        }
        return finished;
    }

    @Override
    public void stop() {
        WORD.setRelease(memory, STOP_OFFSET, launch);
    }

    @Override
    public boolean isStopped() {
        return hasEnded();
    }

    @Override
    public void clear() {
        memory.fill((byte) 0);
        WORD.setRelease(memory, ENDED_OFFSET, launch);
        posted = 0;
        finished = 0;
    }

    @Override
    public void check() throws CudaException {
        context.check(stream);
    }
}
