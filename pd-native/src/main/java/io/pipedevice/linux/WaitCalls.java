// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.INT;
import static io.pipedevice.linux.Native.LONG;
import static io.pipedevice.linux.Native.POINTER;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Calls that wait, and what they wait for. Negative results are errnos. */
final class WaitCalls {
    static final int EFD_CLOEXEC = 02000000;
    static final int EFD_NONBLOCK = 04000;
    static final int EPOLL_CLOEXEC = 02000000;
    static final int EPOLL_CTL_ADD = 1;
    static final int EPOLL_CTL_DEL = 2;
    static final int EPOLL_CTL_MOD = 3;

    private static final MethodHandle EVENTFD = Native.bind("eventfd", INT, INT, INT);
    private static final MethodHandle EPOLL_CREATE1 = Native.bind("epoll_create1", INT, INT);
    private static final MethodHandle EPOLL_CTL = Native.bind("epoll_ctl", INT, INT, INT, INT, POINTER);
    private static final MethodHandle EPOLL_WAIT = Native.bind("epoll_wait", INT, INT, POINTER, INT, INT);
    private static final MethodHandle POLL = Native.bind("poll", INT, POINTER, LONG, INT);
    private static final MethodHandle PIDFD_OPEN = Native.bindOptional("pidfd_open", INT, INT, INT);

    private WaitCalls() {}

    /** eventfd(2). */
    static int eventfd(int initial, int flags) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((int) EVENTFD.invokeExact(state, initial, flags), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** epoll_create1(2). */
    static int epollCreate(int flags) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((int) EPOLL_CREATE1.invokeExact(state, flags), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** epoll_ctl(2). */
    static int epollCtl(int epoll, int operation, int fd, MemorySegment event) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((int) EPOLL_CTL.invokeExact(state, epoll, operation, fd, event), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** epoll_wait(2). */
    static int epollWait(int epoll, MemorySegment events, int capacity, int timeoutMillis) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((int) EPOLL_WAIT.invokeExact(state, epoll, events, capacity, timeoutMillis), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** poll(2). */
    static int poll(MemorySegment fds, long count, int timeoutMillis) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((int) POLL.invokeExact(state, fds, count, timeoutMillis), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** pidfd_open(2); ENOSYS where the C library is older than glibc 2.36. */
    static int pidfdOpen(int pid, int flags) {
        if (PIDFD_OPEN == null) {
            return -Errno.ENOSYS;
        }
        MemorySegment state = Scratch.state();
        try {
            return Native.result((int) PIDFD_OPEN.invokeExact(state, pid, flags), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** A timeout as the kernel takes it: more than it can count becomes 24 days, less than 0 for ever. */
    static int timeout(long millis) {
        return (int) Math.max(-1, Math.min(millis, Integer.MAX_VALUE));
    }
}
