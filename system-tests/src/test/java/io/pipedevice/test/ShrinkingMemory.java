// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * A memory object that lacks only a seal, so that its owner can take its pages back. A process that has mapped it and
 * reads it afterwards gets SIGBUS.
 */
public final class ShrinkingMemory implements AutoCloseable {
    private final Fd fd;

    private ShrinkingMemory(Fd fd) {
        this.fd = fd;
    }

    /** Creates an object with the same bytes, all of them allocated. */
    public static ShrinkingMemory copyOf(MemorySegment memory, int seals) throws LinuxException {
        Fd fd = Memory.memfd("pd-shrinking", Memory.PageSize.NORMAL);
        try (Arena arena = Arena.ofConfined()) {
            Memory.resize(fd, memory.byteSize());
            Memory.allocate(fd, 0, memory.byteSize());
            MemorySegment copy = Memory.map(fd, 0, memory.byteSize(), true, arena);
            MemorySegment.copy(memory, ValueLayout.JAVA_BYTE, 0, copy, ValueLayout.JAVA_BYTE, 0, memory.byteSize());
            Memory.addSeals(fd, seals & ~Memory.SEAL_SHRINK & ~Memory.SEAL_SEAL);
            return new ShrinkingMemory(fd);
        } catch (LinuxException | RuntimeException | Error e) {
            fd.close();
            throw e;
        }
    }

    /** The descriptor, for passing it to another process. */
    public Fd fd() {
        return fd;
    }

    /** Removes all pages. */
    public void shrink() throws LinuxException {
        Memory.resize(fd, 0);
    }

    @Override
    public void close() {
        fd.close();
    }
}
