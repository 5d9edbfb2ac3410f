// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.foreign.MemorySegment;

/** Calls that wait, and calls that create the objects they wait for. Negative results are errnos. */
final class WaitCalls {
    static final int EFD_CLOEXEC = 02000000;
    static final int EFD_NONBLOCK = 04000;
    static final int EPOLL_CLOEXEC = 02000000;
    static final int EPOLL_CTL_ADD = 1;
    static final int EPOLL_CTL_DEL = 2;
    static final int EPOLL_CTL_MOD = 3;

    private static final CFunction EVENTFD = CFunction.of("eventfd");
    private static final CFunction EPOLL_CREATE1 = CFunction.of("epoll_create1");
    private static final CFunction EPOLL_CTL = CFunction.of("epoll_ctl");
    private static final CFunction EPOLL_WAIT = CFunction.of("epoll_wait");
    private static final CFunction POLL = CFunction.of("poll");
    private static final CFunction PIDFD_OPEN = CFunction.ofNewer("pidfd_open");

    private WaitCalls() {}

    /** eventfd(2). */
    static int eventfd(int initial, int flags) {
        return EVENTFD.toInt(initial, flags, 0, 0);
    }

    /** epoll_create1(2). */
    static int epollCreate(int flags) {
        return EPOLL_CREATE1.toInt(flags, 0, 0, 0);
    }

    /** epoll_ctl(2). */
    static int epollCtl(int epoll, int operation, int fd, MemorySegment event) {
        return EPOLL_CTL.toInt(event, epoll, operation, fd, event.address());
    }

    /** epoll_wait(2). */
    static int epollWait(int epoll, MemorySegment events, int capacity, int timeoutMillis) {
        return EPOLL_WAIT.toInt(events, epoll, events.address(), capacity, timeoutMillis);
    }

    /** poll(2). */
    static int poll(MemorySegment fds, long count, int timeoutMillis) {
        return POLL.toInt(fds, fds.address(), count, timeoutMillis, 0);
    }

    /** pidfd_open(2); ENOSYS where the C library is older than glibc 2.36. */
    static int pidfdOpen(int pid, int flags) {
        return PIDFD_OPEN == null ? -Errno.ENOSYS : PIDFD_OPEN.toInt(pid, flags, 0, 0);
    }

    /** Converts a timeout to the kernel's range: too large values become 24 days, negative ones mean for ever. */
    static int timeout(long millis) {
        return (int) Math.max(-1, Math.min(millis, Integer.MAX_VALUE));
    }
}
