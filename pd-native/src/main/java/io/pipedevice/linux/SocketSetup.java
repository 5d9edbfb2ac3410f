// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.foreign.MemorySegment;

/** How Unix sockets come to be, and their options; the descriptors that it returns are the caller's to close. */
final class SocketSetup {
    private static final int TIMEVAL_LENGTH = 16;
    private static final long TIMEVAL_MICROS = 8;

    private SocketSetup() {}

    /** socket(2), bind(2), listen(2). */
    static Fd listen(int type, UnixAddress address, int backlog) throws LinuxException {
        Fd fd = open(type);
        try {
            int number = fd.acquire();
            try {
                MemorySegment buffer = Scratch.zeroed();
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
    static Fd connect(int type, UnixAddress address, long timeoutMillis) throws LinuxException {
        Fd fd = open(type);
        try {
            int number = fd.acquire();
            try {
                if (timeoutMillis < 0) {
                    connect(number, address);
                } else {
                    // No time at all cannot be said; one microsecond is rounded up to a tick of the kernel's clock.
                    sendTimeout(number, timeoutMillis == 0 ? 1 : timeoutMillis * 1000);
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

    private static void connect(int fd, UnixAddress address) throws LinuxException {
        MemorySegment buffer = Scratch.zeroed();
        int length = address.write(buffer);
        int result;
        do {
            result = SocketCalls.connect(fd, buffer, length);
        } while (result == -Errno.EINTR);
        LinuxException.check("connect", result, address);
    }

    /** SO_SNDTIMEO of socket(7), which limits connect(2) too; 0 means for ever. */
    private static void sendTimeout(int fd, long micros) throws LinuxException {
        MemorySegment time = Scratch.zeroed();
        time.set(Native.LONG, 0, micros / 1_000_000);
        time.set(Native.LONG, TIMEVAL_MICROS, micros % 1_000_000);
        int result = SocketCalls.setOption(fd, SocketCalls.SO_SNDTIMEO, time, TIMEVAL_LENGTH);
        LinuxException.check("setsockopt", result);
    }

    /** getsockopt(2); the value is in the calling thread's scratch buffer. */
    static MemorySegment option(Fd fd, int option, int size) throws LinuxException {
        int number = fd.acquire();
        try {
            Scratch scratch = Scratch.get();
            MemorySegment value = scratch.buffer().fill((byte) 0);
            MemorySegment length = scratch.control();
            length.set(Native.INT, 0, size);
            LinuxException.check("getsockopt", SocketCalls.getOption(number, option, value, length));
            return value;
        } finally {
            fd.release();
        }
    }

    private static Fd open(int type) throws LinuxException {
        int number = SocketCalls.socket(type | SocketCalls.SOCK_CLOEXEC);
        return Fd.own(LinuxException.check("socket", number));
    }
}
