// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

/** A memory file without pages, behind whose end as many pages are allocated as it should have. */
public final class FileOfHoles implements AutoCloseable {
    private static final int KEEP_SIZE = 1;

    private final Fd fd;
    private final long size;

    private FileOfHoles(Fd fd, long size) {
        this.fd = fd;
        this.size = size;
    }

    /** Creates a file of a size with seals; its status says that all is allocated. */
    public static FileOfHoles create(long size, int seals) throws LinuxException {
        Fd fd = Memory.memfd("pd-holes", Memory.PageSize.NORMAL);
        Memory.resize(fd, size);
        allocateBehindEnd(fd, size, size);
        Memory.addSeals(fd, seals);
        return new FileOfHoles(fd, size);
    }

    /** Allocates pages behind the end of a file. */
    static void allocateBehindEnd(Fd fd, long offset, long length) throws LinuxException {
        int number = fd.acquire();
        try {
            LinuxException.check("fallocate", MemoryCalls.fallocate(number, KEEP_SIZE, offset, length));
        } finally {
            fd.release();
        }
    }

    /** Frees the pages behind the end, which no seal forbids. */
    public void freeBehindEnd() throws LinuxException {
        Memory.resize(fd, size);
    }

    public Fd fd() {
        return fd;
    }

    @Override
    public void close() {
        fd.close();
    }
}
