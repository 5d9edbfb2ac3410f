// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import io.pipedevice.jdk.Foreign;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Calls that an attacker could make and that the main code does not need. Negative results are errnos. */
final class TestCalls {
    static final int AF_INET = 2;
    static final int F_GETFD = 1;
    static final int FD_CLOEXEC = 1;
    static final int O_RDWR = 2;
    static final int O_TRUNC = 01000;
    static final int O_CLOEXEC = 02000000;
    static final int PUNCH_HOLE_KEEP_SIZE = 3;

    private static final CFunction MPROTECT = CFunction.of("mprotect");
    private static final CFunction OPEN = CFunction.of("open");
    private static final CFunction SOCKET = CFunction.of("socket");
    private static final CFunction NAME = CFunction.ofNewer("strerrorname_np");

    private TestCalls() {}

    static int mprotect(MemorySegment memory, int protection) {
        return MPROTECT.toInt(memory, memory.address(), memory.byteSize(), protection, 0);
    }

    static int open(String path, int flags) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment name = Foreign.string(arena, path);
            return OPEN.toInt(name, name.address(), flags, 0, 0);
        }
    }

    /** Opens a TCP socket. */
    static Fd tcpSocket() throws LinuxException {
        int type = SocketCalls.SOCK_STREAM | SocketCalls.SOCK_CLOEXEC;
        return Fd.own(LinuxException.check("socket", SOCKET.toInt(AF_INET, type, 0, 0)));
    }

    /** The C library's name of an errno; null if it has none, or no function that returns it. */
    @SuppressWarnings("restricted")
    static String errnoName(int errno) {
        if (NAME == null) {
            return null;
        }
        long name = NAME.toLong(errno, 0, 0, 0, 0, 0);
        return name == 0 ? null : Foreign.string(MemorySegment.ofAddress(name).reinterpret(64));
    }

    /** Whether a number is an open descriptor. */
    static boolean isOpen(int fd) {
        return FileCalls.fcntl(fd, F_GETFD, 0) >= 0;
    }

    /**
     * The number of sockets, memory files, eventfds, pidfds and epoll sets that this process has open. The JVM opens
     * files (for classes and directories) at any time, but none of these.
     */
    static int openKernelObjects() throws IOException {
        int count = 0;
        for (String name : new File("/proc/self/fd").list()) {
            if (isKernelObject(Path.of("/proc/self/fd", name))) {
                count++;
            }
        }
        return count;
    }

    private static boolean isKernelObject(Path link) throws IOException {
        try {
            String target = Files.readSymbolicLink(link).toString();
            return target.startsWith("socket:") || target.startsWith("anon_inode:") || target.startsWith("/memfd:");
        } catch (NoSuchFileException e) {
            // The descriptor of the directory itself, or a file that the JVM has closed meanwhile.
            return false;
        }
    }
}
