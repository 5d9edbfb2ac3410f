// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import io.pipedevice.jdk.Foreign;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;

/**
 * Tells that names of a directory were created, removed or renamed, or the directory itself, inotify(7). It does not
 * say which: the descriptor becomes readable, and the caller looks again.
 *
 * <p>One thread at a time uses this; no method blocks. The owner closes it.
 */
public final class DirectoryChanges implements AutoCloseable {
    private static final int IN_CLOEXEC = 02000000;
    private static final int IN_NONBLOCK = 04000;
    private static final int IN_MOVED_FROM = 0x40;
    private static final int IN_MOVED_TO = 0x80;
    private static final int IN_CREATE = 0x100;
    private static final int IN_DELETE = 0x200;
    private static final int IN_DELETE_SELF = 0x400;
    private static final int IN_MOVE_SELF = 0x800;
    private static final int IN_ONLYDIR = 0x01000000;
    private static final int CHANGES =
            IN_MOVED_FROM | IN_MOVED_TO | IN_CREATE | IN_DELETE | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR;

    private static final CFunction INOTIFY_INIT1 = CFunction.of("inotify_init1");
    private static final CFunction INOTIFY_ADD_WATCH = CFunction.of("inotify_add_watch");

    /** The most reads of one {@link #drain}, each of a few events. */
    private static final int MOST_READS = 64;

    private final Fd fd;

    private DirectoryChanges(Fd fd) {
        this.fd = fd;
    }

    /**
     * Watches no directory yet.
     *
     * @return the watch, for the caller to close
     * @throws LinuxException EMFILE also when the user has too many of these, ENFILE, ENOMEM
     */
    public static DirectoryChanges open() throws LinuxException {
        int result = INOTIFY_INIT1.toInt(IN_CLOEXEC | IN_NONBLOCK, 0, 0, 0);
        return new DirectoryChanges(Fd.own(LinuxException.check("inotify_init1", result)));
    }

    /**
     * Watches the directory that has a path now. That has no effect if it is watched already.
     *
     * @param directory exists
     * @throws LinuxException ENOSPC when the user has too many watches, ENOENT, ENOTDIR, EACCES, EBADF after close
     */
    public void add(Path directory) throws LinuxException {
        int number = fd.acquire();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = Foreign.string(arena, directory.toString());
            int watch = INOTIFY_ADD_WATCH.toInt(path, number, path.address(), CHANGES, 0);
            LinuxException.check("inotify_add_watch", watch, directory);
        } finally {
            fd.release();
        }
    }

    /** Discards the changes so far, of which a bounded number is read: {@link #fd()} may stay readable. */
    public void drain() {
        int number = fd.tryAcquire();
        if (number < 0) {
            return;
        }
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment buffer = scratch.buffer();
            long result = 1;
            for (int i = 0; i < MOST_READS && (result > 0 || result == -Errno.EINTR); i++) {
                result = FileCalls.read(number, buffer, buffer.byteSize());
            }
        } finally {
            fd.release();
        }
    }

    /**
     * The descriptor to wait on, for reading.
     *
     * @return the descriptor, which belongs to this object
     */
    public Fd fd() {
        return fd;
    }

    @Override
    public void close() {
        fd.close();
    }
}
