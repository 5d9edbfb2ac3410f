// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import io.pipedevice.jdk.Foreign;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Tries every way in which Linux lets a process change memory objects of which it has a descriptor or a mapping. */
public final class Intruder {
    private static final int READ_WRITE = MemoryCalls.PROT_READ | MemoryCalls.PROT_WRITE;
    private static final int O_RDWR = 2;
    private static final int O_CLOEXEC = 02000000;
    private static final int PUNCH_HOLE_KEEP_SIZE = 3;
    private static final int MADV_REMOVE = 9;

    private static final CFunction MPROTECT = CFunction.of("mprotect");
    private static final CFunction MADVISE = CFunction.of("madvise");
    private static final CFunction OPEN = CFunction.of("open");

    private final List<String> succeeded = new ArrayList<>();
    private int attempts;

    private Intruder() {}

    /**
     * Makes all attempts with every memory file whose name has a prefix.
     *
     * @param prefix of the names
     * @return one line: the number of attempts, and those that were not refused
     */
    public static String tryAll(String prefix) throws IOException {
        Intruder intruder = new Intruder();
        try (DirectoryStream<Path> fds = Files.newDirectoryStream(Path.of("/proc/self/fd"))) {
            for (Path fd : fds) {
                String target =
                        Files.isSymbolicLink(fd) ? Files.readSymbolicLink(fd).toString() : "";
                if (target.startsWith("/memfd:" + prefix)) {
                    intruder.tryFile(Integer.parseInt(fd.getFileName().toString()), target);
                }
            }
        }
        for (ProcessFacts.MapEntry mapping : ProcessFacts.maps(0)) {
            if (mapping.path().startsWith("/memfd:" + prefix)) {
                intruder.tryMapping(mapping);
            }
        }
        return intruder.attempts + " attempts, not refused: " + intruder.succeeded;
    }

    private void tryFile(int fd, String name) {
        tryDescriptor(fd, name);
        int reopened = open("/proc/self/fd/" + fd);
        if (reopened >= 0) {
            tryDescriptor(reopened, name + " reopened");
            FileCalls.close(reopened);
        }
        refused("new seals of " + name, FileCalls.fcntl(fd, FileCalls.F_ADD_SEALS, Memory.SEAL_GROW));
    }

    private void tryDescriptor(int fd, String name) {
        long page = Memory.pageSize();
        long mapped = MemoryCalls.mmap(page, READ_WRITE, MemoryCalls.MAP_SHARED, fd, 0);
        refused("mmap for writing of " + name, mapped);
        if (mapped >= 0) {
            MemoryCalls.munmap(mapped, page);
        }
        refused("ftruncate to nothing of " + name, MemoryCalls.ftruncate(fd, 0));
        refused("ftruncate to more of " + name, MemoryCalls.ftruncate(fd, 1L << 40));
        refused("fallocate of a hole in " + name, MemoryCalls.fallocate(fd, PUNCH_HOLE_KEEP_SIZE, 0, page));
        try (Arena arena = Arena.ofConfined()) {
            refused("write to " + name, FileCalls.write(fd, arena.allocate(8), 8));
        }
    }

    /** A read-only mapping must stay read-only, and pages cannot be removed through any mapping. */
    private void tryMapping(ProcessFacts.MapEntry mapping) {
        long length = mapping.end() - mapping.start();
        refused("hole in the mapping of " + mapping.path(), MADVISE.toInt(mapping.start(), length, MADV_REMOVE, 0));
        if (mapping.perms().charAt(1) != 'w') {
            refused("mprotect of " + mapping.path(), MPROTECT.toInt(mapping.start(), length, READ_WRITE, 0));
        }
    }

    private void refused(String attempt, long result) {
        attempts++;
        if (result >= 0) {
            succeeded.add(attempt);
        }
    }

    private static int open(String path) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = Foreign.string(arena, path);
            return OPEN.toInt(name, name.address(), O_RDWR | O_CLOEXEC, 0, 0);
        }
    }
}
