// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import io.pipedevice.jdk.Foreign;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/**
 * A flag that a thread can wait for with {@link Poll} or {@link Epoll} and that any thread can raise, eventfd(2).
 *
 * <p>Safe for use by any number of threads; no method blocks or allocates. The owner closes it.
 */
public final class EventFd implements AutoCloseable {
    private static final MemorySegment ONE = Foreign.longs(Arena.global(), 1);

    private final Fd fd;

    private EventFd(Fd fd) {
        this.fd = fd;
    }

    /**
     * Opens a flag that is not raised, close-on-exec and non-blocking.
     *
     * @return the flag, for the caller to close
     * @throws LinuxException EMFILE, ENFILE, ENOMEM
     */
    public static EventFd open() throws LinuxException {
        int fd = WaitCalls.eventfd(0, WaitCalls.EFD_CLOEXEC | WaitCalls.EFD_NONBLOCK);
        return new EventFd(Fd.own(LinuxException.check("eventfd", fd)));
    }

    /**
     * Raises the flag: {@link #fd()} becomes readable until it is drained.
     *
     * @return true when it is raised now, by this call or an earlier one; false after close
     */
    public boolean signal() {
        int number = fd.tryAcquire();
        if (number < 0) {
            return false;
        }
        try {
            long result;
            do {
                result = FileCalls.write(number, ONE, Long.BYTES);
            } while (result == -Errno.EINTR);
            return result > 0 || result == -Errno.EAGAIN;
        } finally {
            fd.release();
        }
    }

    /**
     * Lowers the flag.
     *
     * @return whether it was raised; false after close
     */
    public boolean drain() {
        int number = fd.tryAcquire();
        if (number < 0) {
            return false;
        }
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment buffer = scratch.buffer();
            long result;
            do {
                result = FileCalls.read(number, buffer, Long.BYTES);
            } while (result == -Errno.EINTR);
            return result > 0;
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
