// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.INT;
import static io.pipedevice.linux.Native.LONG;
import static io.pipedevice.linux.Native.POINTER;

import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;

/** Calls on sockets. Negative results are errnos. The constants are those of both x86-64 and aarch64. */
final class SocketCalls {
    static final int AF_UNIX = 1;
    static final int SOCK_STREAM = 1;
    static final int SOCK_SEQPACKET = 5;
    static final int SOCK_CLOEXEC = 02000000;
    static final int SOL_SOCKET = 1;
    static final int SO_TYPE = 3;
    static final int SO_PEERCRED = 17;
    static final int SO_SNDTIMEO = 21;
    static final int SO_DOMAIN = 39;
    static final int SO_PEERPIDFD = 77;
    static final int MSG_CTRUNC = 0x8;
    static final int MSG_TRUNC = 0x20;
    static final int MSG_DONTWAIT = 0x40;
    static final int MSG_NOSIGNAL = 0x4000;
    static final int MSG_CMSG_CLOEXEC = 0x40000000;

    private static final MethodHandle SOCKET = Native.bind("socket", INT, INT, INT, INT);
    private static final MethodHandle SOCKETPAIR = Native.bind("socketpair", INT, INT, INT, INT, POINTER);
    private static final MethodHandle BIND = Native.bind("bind", INT, INT, POINTER, INT);
    private static final MethodHandle CONNECT = Native.bind("connect", INT, INT, POINTER, INT);
    private static final MethodHandle LISTEN = Native.bind("listen", INT, INT, INT);
    private static final MethodHandle ACCEPT4 = Native.bind("accept4", INT, INT, POINTER, POINTER, INT);
    private static final MethodHandle SHUTDOWN = Native.bind("shutdown", INT, INT, INT);
    private static final MethodHandle GETSOCKOPT = Native.bind("getsockopt", INT, INT, INT, INT, POINTER, POINTER);
    private static final MethodHandle SETSOCKOPT = Native.bind("setsockopt", INT, INT, INT, INT, POINTER, INT);
    private static final MethodHandle SEND = Native.bind("send", LONG, INT, POINTER, LONG, INT);
    private static final MethodHandle RECV = Native.bind("recv", LONG, INT, POINTER, LONG, INT);

    // The last argument is not the C function's: it is the data that the message points to, and passing it makes the
    // linker keep it alive during the call. Both calling conventions put it in a register that the callee ignores.
    private static final MethodHandle SENDMSG = Native.bind("sendmsg", LONG, INT, POINTER, INT, POINTER);
    private static final MethodHandle RECVMSG = Native.bind("recvmsg", LONG, INT, POINTER, INT, POINTER);

    private SocketCalls() {}

    /** socket(2), for a Unix socket. */
    static int socket(int type) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((int) SOCKET.invokeExact(state, AF_UNIX, type, 0), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** socketpair(2), for Unix sockets. */
    static int socketpair(int type, MemorySegment twoInts) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((int) SOCKETPAIR.invokeExact(state, AF_UNIX, type, 0, twoInts), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** bind(2). */
    static int bind(int fd, MemorySegment address, int length) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((int) BIND.invokeExact(state, fd, address, length), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** connect(2). */
    static int connect(int fd, MemorySegment address, int length) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((int) CONNECT.invokeExact(state, fd, address, length), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** listen(2). */
    static int listen(int fd, int backlog) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((int) LISTEN.invokeExact(state, fd, backlog), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** accept4(2), without the peer's address. */
    static int accept(int fd, int flags) {
        MemorySegment state = Scratch.state();
        try {
            int result = (int) ACCEPT4.invokeExact(state, fd, MemorySegment.NULL, MemorySegment.NULL, flags);
            return Native.result(result, state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** shutdown(2). */
    static int shutdown(int fd, int how) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((int) SHUTDOWN.invokeExact(state, fd, how), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** getsockopt(2), level SOL_SOCKET. */
    static int getOption(int fd, int option, MemorySegment value, MemorySegment length) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((int) GETSOCKOPT.invokeExact(state, fd, SOL_SOCKET, option, value, length), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** setsockopt(2), level SOL_SOCKET. */
    static int setOption(int fd, int option, MemorySegment value, int length) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((int) SETSOCKOPT.invokeExact(state, fd, SOL_SOCKET, option, value, length), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** send(2). */
    static long send(int fd, MemorySegment data, long length, int flags) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((long) SEND.invokeExact(state, fd, data, length, flags), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** recv(2). */
    static long recv(int fd, MemorySegment buffer, long length, int flags) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((long) RECV.invokeExact(state, fd, buffer, length, flags), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** sendmsg(2); {@code data} is what the message's iovec points to. */
    static long sendmsg(int fd, MemorySegment message, int flags, MemorySegment data) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((long) SENDMSG.invokeExact(state, fd, message, flags, data), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }

    /** recvmsg(2); {@code data} is what the message's iovec points to. */
    static long recvmsg(int fd, MemorySegment message, int flags, MemorySegment data) {
        MemorySegment state = Scratch.state();
        try {
            return Native.result((long) RECVMSG.invokeExact(state, fd, message, flags, data), state);
        } catch (Throwable e) {
            throw Native.unexpected(e);
        }
    }
}
