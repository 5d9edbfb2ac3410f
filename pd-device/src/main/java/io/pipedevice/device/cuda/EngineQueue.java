// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import io.pipedevice.jdk.Foreign;
import io.pipedevice.linux.Memory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.lang.invoke.VarHandle;

/**
 * A queue that the GPU's copy engines serve. Each copy goes into a slot of the GPU's memory by one stream, and from
 * there to its destination by another, so that both directions of the bus are busy. Then the second stream writes to
 * memory of the host how many copies are finished.
 *
 * <pre>
 *    finished              issued               posted
 *  ----+---------------------+--------------------+----
 *      | have slots, at most | are kept here      |
 *      | SLOTS of them       |                    |
 * </pre>
 */
final class EngineQueue implements CopyQueue {
    private static final VarHandle WORD = Foreign.handle(ValueLayout.JAVA_LONG);

    /** Copies that may be under way. */
    private static final int SLOTS = 32;

    /** Copies of one call. With several groups under way, one goes in while another goes out. */
    private static final int GROUP = 8;

    /** CU_MEMCPY_SRC_ACCESS_ORDER_STREAM: a source is read when the stream comes to it. */
    private static final int SOURCE_IN_STREAM_ORDER = 1;

    /** Size of CUmemcpyAttributes: the order of accesses, two locations of two ints, flags. */
    private static final int ATTRIBUTES_SIZE = 24;

    private final CudaContext context;
    private final int depth;
    private final int maxTransfer;
    private final boolean batches;

    /** The copies that are posted and not issued, by position modulo the depth. */
    private final long[] sources;

    private final long[] destinations;
    private final int[] lengths;

    /** Arguments of a call for a group: addresses there, here and at the end, and sizes. */
    private final MemorySegment from;

    private final MemorySegment middle;
    private final MemorySegment to;
    private final MemorySegment sizes;
    private final MemorySegment attributes;
    private final MemorySegment firstOfAttributes;

    /** The number of finished copies, written by the GPU. */
    private final MemorySegment done;

    private long in;
    private long out;
    private long arrived;
    private long slots;
    private long posted;
    private long issued;

    /**
     * Creates a queue.
     *
     * @param arena of its memory, open until the context is destroyed
     */
    EngineQueue(CudaContext context, CudaMemory reachable, Arena arena, int depth, int maxTransfer) throws IOException {
        this.context = context;
        this.depth = depth;
        this.maxTransfer = maxTransfer;
        this.batches = context.library().has(CudaFunction.MEMCPY_BATCH_ASYNC);
        sources = new long[depth];
        destinations = new long[depth];
        lengths = new int[depth];
        from = arena.allocate((long) GROUP * Long.BYTES, Long.BYTES);
        middle = arena.allocate((long) GROUP * Long.BYTES, Long.BYTES);
        to = arena.allocate((long) GROUP * Long.BYTES, Long.BYTES);
        sizes = arena.allocate((long) GROUP * Long.BYTES, Long.BYTES);
        attributes = arena.allocate(ATTRIBUTES_SIZE, ValueLayout.JAVA_LONG.byteAlignment());
        attributes.set(ValueLayout.JAVA_INT, 0, SOURCE_IN_STREAM_ORDER);
        firstOfAttributes = arena.allocate(ValueLayout.JAVA_LONG);
        done = arena.allocate(Memory.pageSize(), Memory.pageSize());
        reachable.registerOwn(done);
    }

    @Override
    public void begin() throws IOException {
        context.enter();
        in = context.stream();
        out = context.stream();
        arrived = context.event();
        slots = context.deviceMemory((long) SLOTS * maxTransfer);
        clear();
    }

    @Override
    public void post(long source, long destination, int length) {
        int i = (int) posted & depth - 1;
        sources[i] = source;
        destinations[i] = destination;
        lengths[i] = length;
        posted++;
    }

    @Override
    public void flush() throws CudaException {
        while (issued != posted) {
            int count = (int) Math.min(Math.min(posted - issued, GROUP), SLOTS - (issued - finished()));
            if (count == 0) {
                return;
            }
            issue(count);
        }
    }

    private void issue(int count) throws CudaException {
        for (int i = 0; i < count; i++) {
            long position = issued + i;
            int entry = (int) position & depth - 1;
            from.setAtIndex(ValueLayout.JAVA_LONG, i, sources[entry]);
            middle.setAtIndex(ValueLayout.JAVA_LONG, i, slots + position % SLOTS * maxTransfer);
            to.setAtIndex(ValueLayout.JAVA_LONG, i, destinations[entry]);
            sizes.setAtIndex(ValueLayout.JAVA_LONG, i, lengths[entry]);
        }
        context.enter();
        CudaLibrary library = context.library();
        copy(CudaFunction.MEMCPY_HTOD_ASYNC, middle, from, count, in);
        library.run(CudaFunction.EVENT_RECORD, arrived, in, 0, 0);
        library.run(CudaFunction.STREAM_WAIT_EVENT, out, arrived, 0, 0);
        copy(CudaFunction.MEMCPY_DTOH_ASYNC, to, middle, count, out);
        // This write comes after the copies for the whole system.
        library.run(CudaFunction.STREAM_WRITE_VALUE_64, out, done.address(), issued + count, 0);
        issued += count;
    }

    private void copy(CudaFunction single, MemorySegment target, MemorySegment origin, int count, long stream)
            throws CudaException {
        CudaLibrary library = context.library();
        if (!batches || count == 1) {
            for (int i = 0; i < count; i++) {
                library.run(
                        single,
                        target.getAtIndex(ValueLayout.JAVA_LONG, i),
                        origin.getAtIndex(ValueLayout.JAVA_LONG, i),
                        sizes.getAtIndex(ValueLayout.JAVA_LONG, i),
                        stream);
            }
            return;
        }
        int result = library.call(
                CudaFunction.MEMCPY_BATCH_ASYNC,
                target.address(),
                origin.address(),
                sizes.address(),
                count,
                attributes.address(),
                firstOfAttributes.address(),
                1,
                stream,
                0,
                0,
                0);
        library.check(CudaFunction.MEMCPY_BATCH_ASYNC, result);
    }

    @Override
    public long finished() {
        // A GPU that counts more than there is, is not believed.
        return Math.min((long) WORD.getAcquire(done, 0L), issued);
    }

    /** Does nothing: issued copies end by themselves, and no more are issued before the next flush. */
    @Override
    public void stop() {}

    @Override
    public boolean isStopped() {
        return finished() == issued;
    }

    @Override
    public void clear() {
        WORD.setRelease(done, 0L, 0L);
        posted = 0;
        issued = 0;
    }

    @Override
    public void check() throws CudaException {
        context.check(out);
    }
}
