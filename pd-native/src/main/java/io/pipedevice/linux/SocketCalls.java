// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.foreign.MemorySegment;

/** Calls on sockets. Negative results are errnos. The constants are those of both x86-64 and aarch64. */
final class SocketCalls {
    static final int AF_UNIX = 1;
    static final int AF_INET = 2;
    static final int AF_INET6 = 10;
    static final int AF_NETLINK = 16;
    static final int SOCK_STREAM = 1;
    static final int SOCK_DGRAM = 2;
    static final int SOCK_RAW = 3;
    static final int SOCK_SEQPACKET = 5;
    static final int SOCK_CLOEXEC = 02000000;
    static final int SOCK_NONBLOCK = 04000;
    static final int SOL_SOCKET = 1;
    static final int IPPROTO_TCP = 6;
    static final int SO_REUSEADDR = 2;
    static final int SO_TYPE = 3;
    static final int SO_ERROR = 4;
    static final int SO_SNDBUF = 7;
    static final int SO_LINGER = 13;
    static final int SO_PEERCRED = 17;
    static final int SO_SNDTIMEO = 21;
    static final int SO_PROTOCOL = 38;
    static final int SO_DOMAIN = 39;
    static final int SO_NETNS_COOKIE = 71;
    static final int SO_PEERPIDFD = 77;
    static final int SO_PASSRIGHTS = 83;
    static final int MSG_PEEK = 0x2;
    static final int MSG_CTRUNC = 0x8;
    static final int MSG_TRUNC = 0x20;
    static final int MSG_DONTWAIT = 0x40;
    static final int MSG_NOSIGNAL = 0x4000;
    static final int MSG_CMSG_CLOEXEC = 0x40000000;

    private static final CFunction SOCKET = CFunction.of("socket");
    private static final CFunction SOCKETPAIR = CFunction.of("socketpair");
    private static final CFunction BIND = CFunction.of("bind");
    private static final CFunction CONNECT = CFunction.of("connect");
    private static final CFunction LISTEN = CFunction.of("listen");
    private static final CFunction ACCEPT4 = CFunction.of("accept4");
    private static final CFunction SHUTDOWN = CFunction.of("shutdown");
    private static final CFunction GETSOCKOPT = CFunction.of("getsockopt");
    private static final CFunction SETSOCKOPT = CFunction.of("setsockopt");
    private static final CFunction GETSOCKNAME = CFunction.of("getsockname");
    private static final CFunction SEND = CFunction.of("send");
    private static final CFunction RECV = CFunction.of("recv");
    private static final CFunction SENDMSG = CFunction.of("sendmsg");
    private static final CFunction RECVMSG = CFunction.of("recvmsg");

    private SocketCalls() {}

    /** socket(2). */
    static int socket(int family, int type, int protocol) {
        return SOCKET.toInt(family, type, protocol, 0);
    }

    /** socketpair(2), for Unix sockets. */
    static int socketpair(int type, MemorySegment twoInts) {
        return SOCKETPAIR.toInt(twoInts, AF_UNIX, type, 0, twoInts.address());
    }

    /** bind(2). */
    static int bind(int fd, MemorySegment address, int length) {
        return BIND.toInt(address, fd, address.address(), length, 0);
    }

    /** connect(2). */
    static int connect(int fd, MemorySegment address, int length) {
        return CONNECT.toInt(address, fd, address.address(), length, 0);
    }

    /** listen(2). */
    static int listen(int fd, int backlog) {
        return LISTEN.toInt(fd, backlog, 0, 0);
    }

    /** accept4(2), without the peer's address. */
    static int accept(int fd, int flags) {
        return ACCEPT4.toInt(fd, 0, 0, flags);
    }

    /** shutdown(2). */
    static int shutdown(int fd, int how) {
        return SHUTDOWN.toInt(fd, how, 0, 0);
    }

    /** getsockopt(2), level SOL_SOCKET. */
    static int getOption(int fd, int option, MemorySegment value, MemorySegment length) {
        return getOption(fd, SOL_SOCKET, option, value, length);
    }

    /** getsockopt(2). */
    static int getOption(int fd, int level, int option, MemorySegment value, MemorySegment length) {
        return GETSOCKOPT.toInt(value, length, fd, level, option, value.address(), length.address());
    }

    /** setsockopt(2), level SOL_SOCKET. */
    static int setOption(int fd, int option, MemorySegment value, int length) {
        return setOption(fd, SOL_SOCKET, option, value, length);
    }

    /** setsockopt(2). */
    static int setOption(int fd, int level, int option, MemorySegment value, int length) {
        return SETSOCKOPT.toInt(value, MemorySegment.NULL, fd, level, option, value.address(), length);
    }

    /** getsockname(2). */
    static int getsockname(int fd, MemorySegment address, MemorySegment length) {
        return GETSOCKNAME.toInt(address, length, fd, address.address(), length.address(), 0, 0);
    }

    /** send(2). */
    static long send(int fd, MemorySegment data, long length, int flags) {
        return SEND.toLong(data, MemorySegment.NULL, fd, data.address(), length, flags, 0, 0);
    }

    /** recv(2). */
    static long recv(int fd, MemorySegment buffer, long length, int flags) {
        return RECV.toLong(buffer, MemorySegment.NULL, fd, buffer.address(), length, flags, 0, 0);
    }

    /** sendmsg(2); {@code data} is what the message's iovec points to. */
    static long sendmsg(int fd, MemorySegment message, int flags, MemorySegment data) {
        return SENDMSG.toLong(message, data, fd, message.address(), flags, 0, 0, 0);
    }

    /** recvmsg(2); {@code data} is what the message's iovec points to. */
    static long recvmsg(int fd, MemorySegment message, int flags, MemorySegment data) {
        return RECVMSG.toLong(message, data, fd, message.address(), flags, 0, 0, 0);
    }
}
