// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import io.pipedevice.device.AddressRanges;
import io.pipedevice.device.DeviceMapping.Access;
import io.pipedevice.linux.Memory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * The memory of the host that a GPU can reach: registered, that is, all its pages are locked in place. Its addresses
 * are those of the host. Used by one thread at a time.
 */
final class CudaMemory {
    private static final int PORTABLE = 1;
    private static final int DEVICEMAP = 2;
    private static final int READ_ONLY = 8;

    private final CudaContext context;
    private final AddressRanges<Piece> pieces = new AddressRanges<>();

    /**
     * A piece of memory.
     *
     * @param access of commands; null if none may name it
     */
    private record Piece(MemorySegment memory, Access access) {}

    CudaMemory(CudaContext context) {
        this.context = context;
    }

    /**
     * Registers memory.
     *
     * @throws IOException if it cannot be locked
     * @throws IllegalArgumentException if it is not native, does not consist of whole pages, or is read-only although
     *     it is to be written
     */
    void register(MemorySegment memory, Access access) throws IOException {
        Piece piece = check(memory, access);
        register(piece);
        add(piece);
    }

    /** Registers memory of a queue, which the GPU writes, and which no command may name. */
    void registerOwn(MemorySegment memory) throws IOException {
        Piece piece = new Piece(memory, null);
        register(piece);
        add(piece);
    }

    /**
     * Has memory registered with the next context, because this one is lost.
     *
     * @throws IllegalArgumentException as {@link #register}
     */
    void registerLater(MemorySegment memory, Access access) {
        add(check(memory, access));
    }

    private void add(Piece piece) {
        pieces.add(piece.memory.address(), piece.memory.byteSize(), piece);
    }

    private Piece check(MemorySegment memory, Access access) {
        long size = memory.byteSize();
        if (!memory.isNative() || size == 0 || ((memory.address() | size) & Memory.pageSize() - 1) != 0) {
            throw new IllegalArgumentException(
                    context + " maps whole pages of " + Memory.pageSize() + " bytes: " + memory);
        }
        if (access == Access.WRITE && memory.isReadOnly()) {
            throw new IllegalArgumentException("read-only memory cannot be mapped for writing: " + memory);
        }
        return new Piece(memory, access);
    }

    private void register(Piece piece) throws IOException {
        long size = piece.memory.byteSize();
        int flags = PORTABLE | DEVICEMAP | (piece.access == Access.READ ? READ_ONLY : 0);
        context.enter();
        try {
            context.library().run(CudaFunction.MEM_HOST_REGISTER, piece.memory.address(), size, flags, 0);
        } catch (CudaException e) {
            throw new IOException(context + ": " + CudaObstacle.registration(e, size), e);
        }
    }

    /** Ends a registration. The GPU must not use the memory any more; CUDA waits until no kernel runs. */
    void unregister(MemorySegment memory) throws CudaException {
        context.enter();
        context.library().run(CudaFunction.MEM_HOST_UNREGISTER, memory.address(), 0, 0, 0);
        pieces.remove(memory.address());
    }

    /** Forgets memory: the context with which it was registered is no more. */
    void forget(MemorySegment memory) {
        pieces.remove(memory.address());
    }

    /** Registers everything with a new context. */
    void registerAgain() throws IOException {
        IOException[] failed = new IOException[1];
        pieces.forEach(piece -> {
            try {
                register(piece);
            } catch (IOException e) {
                failed[0] = e;
            }
        });
        if (failed[0] != null) {
            throw failed[0];
        }
    }

    /** Whether a range lies in one registered piece that permits the access. Allocates nothing. */
    boolean contains(long address, int length, Access access) {
        Piece piece = pieces.covering(address, length);
        return piece != null && piece.access == access;
    }
}
