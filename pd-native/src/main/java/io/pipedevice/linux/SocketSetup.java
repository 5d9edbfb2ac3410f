// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.foreign.MemorySegment;

/** Creates Unix sockets, and sets their options. The caller closes the returned descriptors. */
final class SocketSetup {
    private static final int TIMEVAL_LENGTH = 16;
    private static final long TIMEVAL_MICROS = 8;

    private SocketSetup() {}

    /** socket(2), bind(2), listen(2). */
    static Fd listen(int type, UnixAddress address, int backlog, boolean passRights) throws LinuxException {
        Fd fd = open(type);
        try {
            int number = fd.acquire();
            try (Scratch scratch = Scratch.borrow()) {
                if (!passRights) {
                    passRights(number, false);
                }
                MemorySegment buffer = scratch.zeroed();
                LinuxException.check("bind", SocketCalls.bind(number, buffer, address.write(buffer)), address);
                LinuxException.check("listen", SocketCalls.listen(number, backlog), address);
            } finally {
                fd.release();
            }
            return fd;
        } catch (Throwable e) {
            fd.close();
            throw e;
        }
    }

    /** socket(2), connect(2). */
    static Fd connect(int type, UnixAddress address, long timeoutMillis, boolean passRights) throws LinuxException {
        Fd fd = open(type);
        try {
            int number = fd.acquire();
            try {
                if (!passRights) {
                    passRights(number, false);
                }
                if (timeoutMillis < 0) {
                    connect(number, address);
                } else if (timeoutMillis == 0) {
                    // A send timeout of 0 would mean no timeout.
                    nonBlocking(number, true);
                    connect(number, address);
                    nonBlocking(number, false);
                } else {
                    sendTimeout(number, timeoutMillis * 1000);
                    connect(number, address);
                    sendTimeout(number, 0);
                }
            } finally {
                fd.release();
            }
            return fd;
        } catch (Throwable e) {
            fd.close();
            throw e;
        }
    }

    /** socketpair(2). */
    static Fd[] pair(int type) throws LinuxException {
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment fds = scratch.zeroed();
            LinuxException.check("socketpair", SocketCalls.socketpair(type | SocketCalls.SOCK_CLOEXEC, fds));
            int first = fds.get(Native.INT, 0);
            int second = fds.get(Native.INT, Integer.BYTES);
            return new Fd[] {Fd.own(first), Fd.own(second)};
        }
    }

    /** accept4(2); null if the listener is non-blocking and no connection waits. */
    static Fd accept(Fd listener) throws LinuxException {
        int number = listener.acquire();
        try {
            int result;
            do {
                result = SocketCalls.accept(number, SocketCalls.SOCK_CLOEXEC);
            } while (result == -Errno.EINTR || result == -Errno.ECONNABORTED);
            if (result == -Errno.EAGAIN) {
                return null;
            }
            if (result < 0 && !listener.isOpen()) {
                throw Fd.closed();
            }
            return Fd.own(LinuxException.check("accept4", result));
        } finally {
            listener.release();
        }
    }

    private static void connect(int fd, UnixAddress address) throws LinuxException {
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment buffer = scratch.zeroed();
            int length = address.write(buffer);
            int result;
            do {
                result = SocketCalls.connect(fd, buffer, length);
            } while (result == -Errno.EINTR);
            LinuxException.check("connect", result, address);
        }
    }

    /** O_NONBLOCK of fcntl(2). */
    static void nonBlocking(int fd, boolean on) throws LinuxException {
        int flags = LinuxException.check("fcntl", FileCalls.fcntl(fd, FileCalls.F_GETFL, 0));
        int wanted = on ? flags | FileCalls.O_NONBLOCK : flags & ~FileCalls.O_NONBLOCK;
        LinuxException.check("fcntl", FileCalls.fcntl(fd, FileCalls.F_SETFL, wanted));
    }

    /** SO_SNDTIMEO of socket(7), which also limits connect(2); 0 means for ever. */
    static void sendTimeout(int fd, long micros) throws LinuxException {
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment time = scratch.zeroed();
            time.set(Native.LONG, 0, micros / 1_000_000);
            time.set(Native.LONG, TIMEVAL_MICROS, micros % 1_000_000);
            int result = SocketCalls.setOption(fd, SocketCalls.SO_SNDTIMEO, time, TIMEVAL_LENGTH);
            LinuxException.check("setsockopt", result);
        }
    }

    /** SO_SNDBUF of socket(7): the kernel grants twice as much, and at most twice what wmem_max says. */
    static void sendBuffer(Fd fd, int bytes) throws LinuxException {
        int number = fd.acquire();
        try {
            LinuxException.check("setsockopt", set(number, SocketCalls.SO_SNDBUF, bytes));
        } finally {
            fd.release();
        }
    }

    /** getsockopt(2) of an option whose value is {@code count} ints. */
    static int[] option(Fd fd, int option, int count) throws LinuxException {
        int number = fd.acquire();
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment value = scratch.zeroed();
            MemorySegment length = scratch.control();
            length.set(Native.INT, 0, count * Integer.BYTES);
            LinuxException.check("getsockopt", SocketCalls.getOption(number, option, value, length));
            int[] ints = new int[count];
            for (int i = 0; i < count; i++) {
                ints[i] = value.getAtIndex(Native.INT, i);
            }
            return ints;
        } finally {
            fd.release();
        }
    }

    /** setsockopt(2) of an option whose value is an int. A negative errno on failure. */
    private static int set(int fd, int option, int number) {
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment value = scratch.zeroed();
            value.set(Native.INT, 0, number);
            return SocketCalls.setOption(fd, option, value, Integer.BYTES);
        }
    }

    /** SO_PASSRIGHTS; false before Linux 6.16, where this does nothing. */
    static boolean passRights(int fd, boolean on) throws LinuxException {
        int result = set(fd, SocketCalls.SO_PASSRIGHTS, on ? 1 : 0);
        if (result == -Errno.ENOPROTOOPT) {
            return false;
        }
        LinuxException.check("setsockopt", result);
        return true;
    }

    private static Fd open(int type) throws LinuxException {
        int number = SocketCalls.socket(SocketCalls.AF_UNIX, type | SocketCalls.SOCK_CLOEXEC, 0);
        return Fd.own(LinuxException.check("socket", number));
    }
}
