// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Memory;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;

/**
 * Another process's memory object that is copied and never mapped: a read by pread(2) allocates none of the pages that
 * its owner has not allocated, and they read as zeros. It has the seals of a {@link SharedRegion}, so that other
 * processes may get it, too. Thread safe.
 */
public final class SealedFile implements AutoCloseable {
    private final Fd fd;
    private final long size;

    private SealedFile(Fd fd, long size) {
        this.fd = fd;
        this.size = size;
    }

    /**
     * Takes another process's object, after checking that it is a sealed memory object of the size that its owner
     * states.
     *
     * @param fd the descriptor as it was received; this takes ownership, even if it fails
     * @param size the size that the owner states, in bytes
     * @param closer gets the descriptor if it is refused: closing an object that is not a memory object can block
     * @return the object
     * @throws IOException if the object breaks a rule, which the message names
     */
    public static SealedFile accept(Fd fd, long size, Consumer<Fd> closer) throws IOException {
        try {
            SharedRegion.check(fd, size);
            return new SealedFile(fd, size);
        } catch (IOException | RuntimeException | Error e) {
            closer.accept(fd);
            throw e;
        }
    }

    /**
     * Copies the beginning of the object, which its owner may change meanwhile.
     *
     * @param length in bytes, at most the size
     * @return the copy
     * @throws LinuxException EBADF after {@link #close}
     */
    public byte[] read(int length) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment copy = arena.allocate(length);
            Memory.read(fd, 0, copy);
            return copy.toArray(ValueLayout.JAVA_BYTE);
        }
    }

    /**
     * The length of the object.
     *
     * @return in bytes, whole pages
     */
    public long size() {
        return size;
    }

    /**
     * The descriptor, for passing it to another process. This object owns and closes it.
     *
     * @return open until {@link #close}
     */
    public Fd fd() {
        return fd;
    }

    @Override
    public void close() {
        fd.close();
    }
}
