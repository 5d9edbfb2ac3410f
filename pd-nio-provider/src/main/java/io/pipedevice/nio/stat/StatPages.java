// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.stat;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.Memory;
import io.pipedevice.linux.MemoryFiles;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;

/** Finds and copies the pages of counters that JVMs publish. */
public final class StatPages {
    private static final String LINK = "/memfd:" + StatPageDescriptor.NAME + " (deleted)";

    private StatPages() {}

    /**
     * Copies the page of a JVM, so that each word is read once, and later changes by its owner have no effect.
     *
     * @param pid a process, as this one sees it
     * @return the copy, unchecked; null if the process has no page, may not be inspected, or has ended
     */
    public static ByteBuffer copyOf(int pid) {
        Path directory = Path.of("/proc", Integer.toString(pid), "fd");
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(directory)) {
            for (Path descriptor : descriptors) {
                ByteBuffer copy = isNamedLikeAPage(descriptor) ? copyOfMemory(descriptor) : null;
                if (copy != null) {
                    return copy;
                }
            }
        } catch (IOException | RuntimeException e) {
            // The process is another user's, or has ended meanwhile.
            return null;
        }
        return null;
    }

    private static boolean isNamedLikeAPage(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString().equals(LINK);
        } catch (IOException e) {
            return false;
        }
    }

    private static ByteBuffer copyOfMemory(Path descriptor) {
        try (Fd file = MemoryFiles.open(descriptor);
                Arena arena = Arena.ofConfined()) {
            long length = Math.min(Memory.status(file).size(), StatPageDescriptor.LENGTH);
            MemorySegment memory = arena.allocate(length);
            Memory.read(file, 0, memory);
            return ordered(ByteBuffer.wrap(memory.toArray(ValueLayout.JAVA_BYTE)));
        } catch (IOException e) {
            // It is a file of a name that its owner chose to resemble a page, or was closed meanwhile.
            return null;
        }
    }

    /**
     * Reads a copy of a page from a file.
     *
     * @param file a regular file
     * @return its content, unchecked
     * @throws IOException if it cannot be read
     */
    static ByteBuffer read(Path file) throws IOException {
        ByteBuffer copy = ByteBuffer.allocate(StatPageDescriptor.LENGTH);
        try (FileChannel channel = FileChannel.open(file)) {
            int got;
            do {
                got = channel.read(copy, copy.position());
            } while (got > 0 && copy.hasRemaining());
        }
        return ordered(copy.flip());
    }

    private static ByteBuffer ordered(ByteBuffer copy) {
        return copy.order(ByteOrder.LITTLE_ENDIAN);
    }
}
