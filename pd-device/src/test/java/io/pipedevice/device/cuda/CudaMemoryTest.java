// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.DeviceMapping.Access;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which memory commands may name. */
final class CudaMemoryTest {
    private static final int SIZE = 4096;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment piece = arena.allocate(SIZE, SIZE);
    private CudaContext context;
    private CudaMemory memory;

    @BeforeEach
    void start() throws IOException {
        CudaLibrary library = CudaGpu.load(CudaFixture.library());
        context = new CudaContext(library, CudaGpu.list(library).getFirst());
        memory = new CudaMemory(context);
    }

    @AfterEach
    void stop() {
        if (context != null) {
            context.destroy();
        }
        arena.close();
    }

    @Test
    void aPieceMayBeNamedForItsAccess() throws IOException {
        memory.register(piece, Access.WRITE);
        assertTrue(memory.contains(piece.address(), SIZE, Access.WRITE));
        assertTrue(memory.contains(piece.address() + SIZE - 1, 1, Access.WRITE));
        assertFalse(memory.contains(piece.address(), SIZE + 1, Access.WRITE));
        assertFalse(memory.contains(piece.address(), 1, Access.READ));
        memory.unregister(piece);
        assertFalse(memory.contains(piece.address(), 1, Access.WRITE));
    }

    @Test
    void theMemoryOfAQueueMayNotBeNamed() throws IOException {
        memory.registerOwn(piece);
        assertFalse(memory.contains(piece.address(), 1, Access.READ));
        assertFalse(memory.contains(piece.address(), 1, Access.WRITE));
    }

    @Test
    void aPieceThatIsToBeRegisteredLaterMayBeNamed() throws IOException {
        context.destroy();
        memory.registerLater(piece, Access.READ);
        assertTrue(memory.contains(piece.address(), 1, Access.READ));
        context.create();
        memory.registerAgain();
        memory.unregister(piece);
        assertFalse(memory.contains(piece.address(), 1, Access.READ));
    }
}
