// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.io.IOException;

/**
 * The process at the other end of a Unix socket, while facts about it are read from proc(5). Its number may belong to
 * another process by then: the process may have passed its socket on and ended.
 *
 * <p>Since Linux 6.5 the kernel names the process by a descriptor. Before that, the times at which processes begin tell
 * them apart: one that began after the connection was made has not made it. A process that began in the same tick (10
 * ms), or between a connect and its accept, is not recognized, nor is one that got the number of a process that had
 * listened.
 *
 * <p>Belongs to one thread, which closes it.
 */
public final class PeerProcess implements AutoCloseable {
    private final int pid;

    /** Null if the kernel gives none. */
    private final PidFd descriptor;

    /** In ticks; -1 if that is not known, or not needed. */
    private final long startTime;

    private PeerProcess(int pid, PidFd descriptor, long startTime) {
        this.pid = pid;
        this.descriptor = descriptor;
        this.startTime = startTime;
    }

    /**
     * Asks for the process that connected, listened, or created the pair.
     *
     * @param socket this process's end
     * @return the process, for the caller to close
     * @throws LinuxException ENOTCONN, EMFILE, ENFILE, EBADF after close, ESRCH when the process was reaped
     * @throws IOException when its number belongs to another process, or to none
     */
    public static PeerProcess of(UnixSocket socket) throws IOException {
        return of(socket, true);
    }

    /** {@code byDescriptor} is false for what happens before Linux 6.5. */
    static PeerProcess of(UnixSocket socket, boolean byDescriptor) throws IOException {
        int pid = socket.peerCredentials().pid();
        PidFd descriptor = byDescriptor ? socket.peerPidFd().orElse(null) : null;
        if (descriptor != null || pid == 0 || !SocketSearch.isPossible()) {
            return new PeerProcess(pid, descriptor, -1);
        }
        long startTime = ProcessFacts.startTime(pid);
        if (startTime > socket.sinceTicks()) {
            throw another(pid);
        }
        return new PeerProcess(pid, null, startTime);
    }

    private static LinuxException another(int pid) {
        return new LinuxException(
                "SO_PEERCRED",
                Errno.ESRCH,
                "process " + pid + " did not make the connection: the one that did has ended");
    }

    /**
     * Checks, after facts about the process were read, that they are its own. Does nothing if the process has no number
     * here, or proc(5) does not show it.
     *
     * @throws LinuxException EBADF after close
     * @throws IOException when it has ended
     */
    public void requireSame() throws IOException {
        if (descriptor != null && !descriptor.isAlive()) {
            throw new LinuxException("SO_PEERPIDFD", Errno.ESRCH, "process " + pid + " has ended");
        }
        if (startTime >= 0 && ProcessFacts.startTime(pid) != startTime) {
            throw another(pid);
        }
    }

    /**
     * The process.
     *
     * @return its number, as this process's PID namespace sees it; 0 if it is not visible there
     */
    public int pid() {
        return pid;
    }

    @Override
    public void close() {
        if (descriptor != null) {
            descriptor.close();
        }
    }
}
