// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Opens memory files that other processes have open. The text of a link under /proc/PID/fd proves nothing: a process
 * can open a file of any name in a file system of its own, where every call waits for that process.
 */
public final class MemoryFiles {
    private static final String MOUNT = "mnt_id:";

    private MemoryFiles() {}

    /**
     * Opens a memory file of another process for reading. Makes no call that the file system of another file would see.
     *
     * @param descriptor a file under /proc/PID/fd
     * @return a descriptor of this process, for the caller to close
     * @throws IOException if it is another file, in particular a hugetlb file, or the process may not be inspected, or
     *     has ended
     */
    public static Fd open(Path descriptor) throws IOException {
        // This descriptor stays with one file, whatever the other process does with its own.
        try (Fd file = FileCalls.open(descriptor.toString(), FileCalls.O_PATH)) {
            if (!mount(file).equals(mountOfMemoryFiles())) {
                throw new LinuxException("open", Errno.EINVAL, descriptor + " is no memory file");
            }
            return FileCalls.open("/proc/self/fd/" + file.number(), FileCalls.O_RDONLY);
        }
    }

    /** All memory files of normal pages are in one mount of the kernel. */
    private static String mountOfMemoryFiles() throws IOException {
        try (Fd own = Memory.memfd("pipedevice-mount", Memory.PageSize.NORMAL)) {
            return mount(own);
        }
    }

    /** The kernel knows the mount, so that this, unlike a status, is no call of the file. */
    private static String mount(Fd file) throws IOException {
        Path info = Path.of("/proc/self/fdinfo", Integer.toString(file.number()));
        for (String line : Files.readAllLines(info)) {
            if (line.startsWith(MOUNT)) {
                return line.substring(MOUNT.length()).strip();
            }
        }
        throw new IOException(info + " names no mount");
    }
}
