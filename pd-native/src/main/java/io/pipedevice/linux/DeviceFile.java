// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A device file: open(2), ioctl(2), pread(2), pwrite(2), mmap(2).
 *
 * <p>Safe for use by any number of threads. The thread or object that opened it closes it; mappings stay.
 */
public final class DeviceFile implements AutoCloseable {
    private static final CFunction PWRITE = CFunction.of("pwrite");

    private final Fd fd;

    private DeviceFile(Fd fd) {
        this.fd = fd;
    }

    /**
     * Opens a device file for reading and writing, close-on-exec.
     *
     * @param path of the file
     * @return the file, for the caller to close
     * @throws LinuxException ENOENT, EACCES, EBUSY, EMFILE, and any error of the driver
     */
    public static DeviceFile open(String path) throws LinuxException {
        return new DeviceFile(FileCalls.open(path, FileCalls.O_RDWR));
    }

    /**
     * Takes ownership of a descriptor that an ioctl returned.
     *
     * @param number an open descriptor of this process, which only the result may close from now on
     * @return the file, for the caller to close
     */
    public static DeviceFile own(int number) {
        return new DeviceFile(Fd.own(number));
    }

    /**
     * Calls the driver, ioctl(2).
     *
     * @param call name of the request, for the message of a failure
     * @param request its number
     * @param argument a number, if that is what the request takes
     * @return the driver's result, 0 or more
     * @throws LinuxException any error of the driver
     */
    public int ioctl(String call, int request, long argument) throws LinuxException {
        int number = fd.acquire();
        try {
            int result;
            do {
                result = FileCalls.ioctl(number, request, argument);
            } while (result == -Errno.EINTR);
            return LinuxException.check(call, result);
        } finally {
            fd.release();
        }
    }

    /**
     * Calls the driver with a structure, ioctl(2).
     *
     * @param call name of the request, for the message of a failure
     * @param request its number
     * @param argument native memory, which the driver reads and writes
     * @return the driver's result, 0 or more
     * @throws LinuxException any error of the driver
     */
    public int ioctl(String call, int request, MemorySegment argument) throws LinuxException {
        int number = fd.acquire();
        try {
            int result;
            do {
                result = FileCalls.ioctl(number, request, argument);
            } while (result == -Errno.EINTR);
            return LinuxException.check(call, result);
        } finally {
            fd.release();
        }
    }

    /**
     * Reads at a position, pread(2).
     *
     * @param into all of it is filled
     * @param offset in the file
     * @throws LinuxException EIO if there is less to read, and any error of the driver
     */
    public void read(MemorySegment into, long offset) throws LinuxException {
        int number = fd.acquire();
        try {
            whole("pread", FileCalls.pread(number, into, into.byteSize(), offset), into);
        } finally {
            fd.release();
        }
    }

    /**
     * Writes at a position, pwrite(2).
     *
     * @param from all of it is written
     * @param offset in the file
     * @throws LinuxException EIO if not all of it is taken, and any error of the driver
     */
    public void write(MemorySegment from, long offset) throws LinuxException {
        int number = fd.acquire();
        try {
            whole(
                    "pwrite",
                    PWRITE.toLong(from, MemorySegment.NULL, number, from.address(), from.byteSize(), offset, 0, 0),
                    from);
        } finally {
            fd.release();
        }
    }

    private static void whole(String call, long result, MemorySegment memory) throws LinuxException {
        if (LinuxException.check(call, result) != memory.byteSize()) {
            throw new LinuxException(call, Errno.EIO, result + " bytes of " + memory.byteSize());
        }
    }

    /**
     * Maps a part of the device, mmap(2), MAP_SHARED.
     *
     * @param offset a multiple of the page size
     * @param length a multiple of the page size, more than 0
     * @param arena unmaps when it is closed, and so determines which threads may close and use the memory
     * @return the memory, which can be read and written
     * @throws LinuxException EINVAL, ENODEV, and any error of the driver
     */
    @SuppressWarnings("restricted")
    public MemorySegment map(long offset, long length, Arena arena) throws LinuxException {
        int number = fd.acquire();
        long address;
        try {
            address = LinuxException.check(
                    "mmap",
                    MemoryCalls.mmap(
                            length,
                            MemoryCalls.PROT_READ | MemoryCalls.PROT_WRITE,
                            MemoryCalls.MAP_SHARED,
                            number,
                            offset));
        } finally {
            fd.release();
        }
        try {
            return MemorySegment.ofAddress(address)
                    .reinterpret(length, arena, mapped -> MemoryCalls.munmap(mapped.address(), length));
        } catch (Throwable e) {
            MemoryCalls.munmap(address, length);
            throw e;
        }
    }

    /**
     * The descriptor, for passing it to another device or for waiting on it.
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
