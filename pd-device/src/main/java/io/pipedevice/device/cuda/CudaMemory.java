// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import io.pipedevice.device.AddressRanges;
import io.pipedevice.device.DeviceMapping.Access;
import io.pipedevice.linux.Memory;
import java.io.IOException;
import java.lang.foreign.MemorySegment;

/**
 * The memory of the host that a GPU can reach: registered, that is, all its pages are locked in place. Its addresses are
 * those of the host. Used by one thread at a time.
 */
final class CudaMemory {
    private static final int PORTABLE = 1;
    private static final int DEVICEMAP = 2;
    private static final int READ_ONLY = 8;

    private final CudaContext context;
    private final AddressRanges<Piece> pieces = new AddressRanges<>();

    /** A piece that is registered. */
    private record Piece(MemorySegment memory, Access access) {}

    CudaMemory(CudaContext context) {
        this.context = context;
    }

    /**
     * Registers memory.
     *
     * @throws IOException if it cannot be locked
     * @throws IllegalArgumentException if it is not native, does not consist of whole pages, or is read-only although it
     *     is to be written
     */
    void register(MemorySegment memory, Access access) throws IOException {
        long size = memory.byteSize();
        if (!memory.isNative() || size == 0 || ((memory.address() | size) & Memory.pageSize() - 1) != 0) {
            throw new IllegalArgumentException(
                    context + " maps whole pages of " + Memory.pageSize() + " bytes: " + memory);
        }
        if (access == Access.WRITE && memory.isReadOnly()) {
            throw new IllegalArgumentException("read-only memory cannot be mapped for writing: " + memory);
        }
        Piece piece = new Piece(memory, access);
        register(piece);
        pieces.add(memory.address(), size, piece);
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
        if (pieces.remove(memory.address())) {
            context.enter();
            context.library().run(CudaFunction.MEM_HOST_UNREGISTER, memory.address(), 0, 0, 0);
        }
    }

    /** Forgets memory that was registered with a context that is no more. */
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
