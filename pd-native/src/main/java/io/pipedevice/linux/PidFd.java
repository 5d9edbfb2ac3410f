// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

/**
 * A process, identified by a descriptor that never refers to another process, pidfd_open(2).
 *
 * <p>The descriptor becomes readable when the process has ended, even before its parent has reaped it. Safe for use by
 * any number of threads. The owner closes it.
 */
public final class PidFd implements AutoCloseable {
    private final Fd fd;

    PidFd(Fd fd) {
        this.fd = fd;
    }

    /**
     * Opens a process.
     *
     * @param pid its number, as this process sees it; the caller must make sure that it is still the same process
     * @return the process, for the caller to close
     * @throws LinuxException ESRCH when there is none, ENOSYS before glibc 2.36 or Linux 5.3, EMFILE, ENFILE
     */
    public static PidFd open(int pid) throws LinuxException {
        return new PidFd(Fd.own(LinuxException.check("pidfd_open", WaitCalls.pidfdOpen(pid, 0))));
    }

    /**
     * Whether the process still runs.
     *
     * @return false when it has ended
     * @throws LinuxException EBADF after close
     */
    public boolean isAlive() throws LinuxException {
        int number = fd.acquire();
        try (Scratch scratch = Scratch.borrow()) {
            var entry = scratch.zeroed();
            entry.set(Native.INT, 0, number);
            entry.set(StatLayout.SHORT, 4, Poll.IN);
            int result;
            do {
                result = WaitCalls.poll(entry, 1, 0);
            } while (result == -Errno.EINTR);
            return LinuxException.check("poll", result) == 0;
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
