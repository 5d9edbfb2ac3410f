// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.foreign.MemorySegment;
import java.util.Optional;

/**
 * A Unix domain socket, unix(7), close-on-exec.
 *
 * <p>Safe for use by any number of threads; no lock is held during a system call. A socket is in blocking mode until
 * {@link #nonBlocking} changes that. Signals do not interrupt any call. Closing wakes the threads that are blocked in a
 * call on the same object; they get EBADF. The owner closes it; a path that it was bound to stays in the file system.
 */
public final class UnixSocket implements AutoCloseable {
    /** The result of a send or receive that would have to wait. */
    public static final int WOULD_BLOCK = -2;

    /** The most descriptors that one message can carry. */
    public static final int MAX_FDS = Messages.MAX_FDS;

    /** The most receive calls of one {@link #drain()}. */
    public static final int DRAIN_LIMIT = 64;

    private final Type type;
    private final Fd fd;
    private final long sinceNs = System.nanoTime();

    /** Whether this process has not connected or accepted it, so that it may be connected later than it came. */
    private final boolean isReceived;

    private UnixSocket(Type type, Fd fd) {
        this(type, fd, false);
    }

    private UnixSocket(Type type, Fd fd, boolean isReceived) {
        this.type = type;
        this.fd = fd;
        this.isReceived = isReceived;
    }

    /** Whether a connection carries bytes or messages. */
    public enum Type {
        /** SOCK_STREAM: bytes. */
        STREAM(SocketCalls.SOCK_STREAM),
        /** SOCK_SEQPACKET: messages, each sent and received whole. */
        SEQPACKET(SocketCalls.SOCK_SEQPACKET);

        private final int number;

        Type(int number) {
            this.number = number;
        }
    }

    /**
     * Listens.
     *
     * @param type    of the connections
     * @param address to bind to
     * @param backlog the most connections that wait to be accepted
     * @return the listening socket, for the caller to close
     * @throws LinuxException EADDRINUSE also when the path exists, EACCES, ENOENT, EMFILE
     */
    public static UnixSocket listen(Type type, UnixAddress address, int backlog) throws LinuxException {
        return listen(type, address, backlog, true);
    }

    /**
     * Listens, and permits or refuses descriptors as {@link #passRights} does, before any client can connect.
     *
     * @param type of the connections
     * @param address to bind to
     * @param backlog the most connections that wait to be accepted
     * @param passRights whether messages to the connections may carry descriptors; before Linux 6.16 they may in any
     *     case
     * @return the listening socket, for the caller to close
     * @throws LinuxException as {@link #listen(Type, UnixAddress, int)}
     */
    public static UnixSocket listen(Type type, UnixAddress address, int backlog, boolean passRights)
            throws LinuxException {
        return new UnixSocket(type, SocketSetup.listen(type.number, address, backlog, passRights));
    }

    /**
     * Connects, and waits while the listener's backlog is full.
     *
     * @param type    as the listener's
     * @param address of a listening socket
     * @return the connected socket, for the caller to close
     * @throws LinuxException ECONNREFUSED when no socket listens, ENOENT when the path does not exist, EPROTOTYPE when
     *     the listener at a path has another type, EACCES, EMFILE
     */
    public static UnixSocket connect(Type type, UnixAddress address) throws LinuxException {
        return connect(type, address, -1);
    }

    /**
     * Connects, and waits for some time while the listener's backlog is full.
     *
     * @param type          as the listener's
     * @param address       of a listening socket
     * @param timeoutMillis 0 does not wait at all, -1 for ever
     * @return the connected socket, for the caller to close
     * @throws LinuxException EAGAIN after the timeout, ECONNREFUSED when no socket listens, ENOENT when the path does
     *     not exist, EPROTOTYPE when the listener at a path has another type, EACCES, EMFILE
     */
    public static UnixSocket connect(Type type, UnixAddress address, long timeoutMillis) throws LinuxException {
        return connect(type, address, timeoutMillis, true);
    }

    /**
     * Connects, and permits or refuses descriptors as {@link #passRights} does, before the listener can send any.
     *
     * @param type          as the listener's
     * @param address       of a listening socket
     * @param timeoutMillis 0 does not wait at all, -1 for ever
     * @param passRights    whether messages to this end may carry descriptors; before Linux 6.16 they may in any case
     * @return the connected socket, for the caller to close
     * @throws LinuxException as {@link #connect(Type, UnixAddress, long)}
     */
    public static UnixSocket connect(Type type, UnixAddress address, long timeoutMillis, boolean passRights)
            throws LinuxException {
        return new UnixSocket(type, SocketSetup.connect(type.number, address, timeoutMillis, passRights));
    }

    /**
     * Creates two sockets that are connected to each other, socketpair(2).
     *
     * @param type of the connection
     * @return both, for the caller to close
     * @throws LinuxException EMFILE, ENFILE, ENOMEM
     */
    public static UnixSocket[] pair(Type type) throws LinuxException {
        Fd[] fds = SocketSetup.pair(type.number);
        return new UnixSocket[] {new UnixSocket(type, fds[0]), new UnixSocket(type, fds[1])};
    }

    /**
     * Takes ownership of a socket that another process sent, after a check that it is one.
     *
     * @param type that it must have
     * @param fd the descriptor; the result owns it on success, the caller keeps it on failure
     * @return the socket, for the caller to close
     * @throws LinuxException ENOTSOCK, or EPROTOTYPE when it is a socket of another kind
     */
    public static UnixSocket own(Type type, Fd fd) throws LinuxException {
        int domain = SocketSetup.option(fd, SocketCalls.SO_DOMAIN, 1)[0];
        int actual = SocketSetup.option(fd, SocketCalls.SO_TYPE, 1)[0];
        if (domain != SocketCalls.AF_UNIX || actual != type.number) {
            throw new LinuxException(
                    "getsockopt", Errno.EPROTOTYPE, "expected a Unix socket of type " + type + ", got another kind");
        }
        return new UnixSocket(type, fd, true);
    }

    /**
     * Accepts the next connection, accept4(2).
     *
     * @return the connection, for the caller to close; null when none waits and this socket is non-blocking
     * @throws LinuxException EINVAL when this socket does not listen, EMFILE, ENFILE (the connection stays in the
     *     backlog), EBADF after close
     */
    public UnixSocket accept() throws LinuxException {
        Fd accepted = SocketSetup.accept(fd);
        return accepted == null ? null : new UnixSocket(type, accepted);
    }

    /**
     * Sets the mode, O_NONBLOCK of fcntl(2). The mode belongs to the open file, which a process that received this
     * socket shares.
     *
     * @param on whether accept and the blocking forms of send and receive return at once
     * @throws LinuxException EBADF after close
     */
    public void nonBlocking(boolean on) throws LinuxException {
        int number = fd.acquire();
        try {
            SocketSetup.nonBlocking(number, on);
        } finally {
            fd.release();
        }
    }

    /**
     * Sets how much this socket can hold that its peer has not received, SO_SNDBUF. A message counts with the memory
     * that the kernel needs for it, 768 bytes for a short one.
     *
     * @param bytes wanted; the kernel grants twice as much, and at most twice /proc/sys/net/core/wmem_max
     * @throws LinuxException EBADF after close
     */
    public void sendBuffer(int bytes) throws LinuxException {
        SocketSetup.sendBuffer(fd, bytes);
    }

    /**
     * Permits or refuses descriptors in messages to this socket, SO_PASSRIGHTS. If they are refused, sendmsg(2) of such
     * a message fails with EPERM. A new connection of a listening socket inherits the listener's setting at the time of
     * connect.
     *
     * @param on whether messages to this socket may carry descriptors, as they may at first
     * @return false before Linux 6.16, where this does nothing
     * @throws LinuxException EBADF after close
     */
    public boolean passRights(boolean on) throws LinuxException {
        int number = fd.acquire();
        try {
            return SocketSetup.passRights(number, on);
        } finally {
            fd.release();
        }
    }

    /**
     * Sends without waiting, sendmsg(2).
     *
     * @param data   native memory
     * @param offset of the first byte
     * @param length at least 1; a message of 0 bytes would look like the end
     * @param fds    descriptors to pass along, at most {@link #MAX_FDS}; the caller keeps its own
     * @return bytes sent, fewer than length only on a stream, or {@link #WOULD_BLOCK}
     * @throws LinuxException EPIPE or ECONNRESET when the peer is gone, EMSGSIZE when the message is larger than the
     *     socket's buffer, ETOOMANYREFS when too many descriptors are under way, EPERM when the peer permits no
     *     descriptors, EBADF after close
     */
    public int send(MemorySegment data, long offset, long length, Fd... fds) throws LinuxException {
        return send(data, offset, length, SocketCalls.MSG_DONTWAIT, fds);
    }

    /**
     * Sends, and waits while there is no room.
     *
     * @param data   native memory
     * @param offset of the first byte
     * @param length at least 1
     * @param fds    descriptors to pass along, at most {@link #MAX_FDS}; the caller keeps its own
     * @return bytes sent, fewer than length only on a stream, or {@link #WOULD_BLOCK} in non-blocking mode
     * @throws LinuxException as {@link #send}
     */
    public int sendBlocking(MemorySegment data, long offset, long length, Fd... fds) throws LinuxException {
        return send(data, offset, length, 0, fds);
    }

    private int send(MemorySegment data, long offset, long length, int flags, Fd[] fds) throws LinuxException {
        Messages.checkRange(data, offset, length);
        int number = fd.acquire();
        try {
            long sent = Messages.send(number, data, offset, length, flags | SocketCalls.MSG_NOSIGNAL, fds);
            if (sent < 0 && !fd.isOpen()) {
                throw Fd.closed();
            }
            return sent == -Errno.EAGAIN ? WOULD_BLOCK : (int) LinuxException.check("sendmsg", sent);
        } finally {
            fd.release();
        }
    }

    /**
     * Receives, recvmsg(2): one message, or the available bytes of a stream.
     *
     * @param buffer native memory
     * @param offset of the first byte
     * @param length at least 1
     * @param fds takes the descriptors that came along, and closes those that it held; null refuses any
     * @param wait whether to wait until there is something, except in non-blocking mode
     * @return bytes received, 0 at the end (or for a message of 0 bytes, which no honest peer sends), or
     *     {@link #WOULD_BLOCK}
     * @throws LinuxException ECONNRESET; EMSGSIZE when the message did not fit or had too many descriptors, and EMFILE
     *     when that would exceed this process's limit: then all its descriptors are closed; EBADF after close
     */
    public int receive(MemorySegment buffer, long offset, long length, ReceivedFds fds, boolean wait)
            throws LinuxException {
        return receive(buffer, offset, length, fds, wait ? 0 : SocketCalls.MSG_DONTWAIT);
    }

    /**
     * Receives a message as {@link #receive} does, without waiting, but leaves it in the socket while this process has
     * no room for its descriptors: otherwise the kernel would drop them. Only one thread at a time may receive.
     *
     * @param buffer native memory
     * @param offset of the first byte
     * @param length at least 1
     * @param fds takes the descriptors that came along, and closes those that it held
     * @return as {@link #receive}
     * @throws LinuxException EMFILE when this process has no room for so many descriptors now; EMSGSIZE for messages
     *     that {@link #receive} refuses; in both cases the next call finds the message again; ECONNRESET; EBADF after
     *     close
     */
    public int receiveWhole(MemorySegment buffer, long offset, long length, ReceivedFds fds) throws LinuxException {
        int received = receive(buffer, offset, length, fds, SocketCalls.MSG_DONTWAIT | SocketCalls.MSG_PEEK);
        if (received > 0) {
            // This process already holds its descriptors, so the kernel does not really close any file.
            Messages.drop(fd);
        }
        return received;
    }

    private int receive(MemorySegment buffer, long offset, long length, ReceivedFds fds, int flags)
            throws LinuxException {
        Messages.checkRange(buffer, offset, length);
        if (buffer.isReadOnly()) {
            throw new IllegalArgumentException("the buffer is read-only");
        }
        if (fds != null) {
            fds.closeAll();
        }
        int number = fd.acquire();
        try {
            long received = Messages.receive(number, buffer, offset, length, flags, fds);
            if (received <= 0 && !fd.isOpen()) {
                throw Fd.closed();
            }
            return received == -Errno.EAGAIN ? WOULD_BLOCK : (int) LinuxException.check("recvmsg", received);
        } finally {
            fd.release();
        }
    }

    /**
     * Uses this socket as a doorbell: sends one byte, without waiting. Allocates nothing.
     *
     * @return true when the peer has a message to receive, even if there was no room for this one; false when the peer
     *     is gone or this socket is closed, so that no process will ever receive it
     */
    public boolean ring() {
        return DoorbellMessage.ring(fd);
    }

    /**
     * Receives and discards available messages without waiting; closes descriptors that arrive. Allocates nothing.
     *
     * @return -1 at the end (or after a message of 0 bytes, which no honest peer sends), when the peer has reset the
     *     connection and when this socket is closed; otherwise the number of messages, or pieces of a stream, where
     *     {@link #DRAIN_LIMIT} means that there may be more
     */
    public int drain() {
        return DoorbellMessage.drain(fd);
    }

    /**
     * The process that connected, listened, or created the pair, as the kernel saw it then: unix(7), SO_PEERCRED.
     *
     * @return the peer's process and effective user and group
     * @throws LinuxException ENOTCONN, EBADF after close
     */
    public Credentials peerCredentials() throws LinuxException {
        int[] credentials = SocketSetup.option(fd, SocketCalls.SO_PEERCRED, 3);
        return new Credentials(credentials[0], credentials[1], credentials[2]);
    }

    /**
     * The same process as {@link #peerCredentials()} names, by a descriptor: SO_PEERPIDFD.
     *
     * @return the process, for the caller to close; empty before Linux 6.5
     * @throws LinuxException ESRCH when it has ended and was reaped, EMFILE, ENFILE, EBADF after close
     */
    public Optional<PidFd> peerPidFd() throws LinuxException {
        try {
            int pidFd = SocketSetup.option(fd, SocketCalls.SO_PEERPIDFD, 1)[0];
            return Optional.of(new PidFd(Fd.own(pidFd)));
        } catch (LinuxException e) {
            if (e.errno() == Errno.ENOPROTOOPT) {
                return Optional.empty();
            }
            throw e;
        }
    }

    /**
     * The last moment at which this socket can have been connected, in clock ticks since the system started; the
     * largest number if it came from another process.
     */
    long sinceTicks() {
        return isReceived ? Long.MAX_VALUE : SystemCalls.bootTicks(sinceNs);
    }

    /**
     * Shuts down one direction or both, shutdown(2); sent data are still delivered.
     *
     * @param read whether to shut down receiving
     * @param write whether to shut down sending: the peer then sees the end
     * @throws LinuxException ENOTCONN, EBADF after close
     */
    public void shutdown(boolean read, boolean write) throws LinuxException {
        if (!read && !write) {
            return;
        }
        int number = fd.acquire();
        try {
            LinuxException.check("shutdown", SocketCalls.shutdown(number, read ? write ? 2 : 0 : 1));
        } finally {
            fd.release();
        }
    }

    /**
     * The kind of this socket.
     *
     * @return stream or messages
     */
    public Type type() {
        return type;
    }

    /**
     * The descriptor, for waiting on it or passing it on. To wake blocked threads, close the socket and not the
     * descriptor.
     *
     * @return the descriptor, which belongs to this object
     */
    public Fd fd() {
        return fd;
    }

    @Override
    public void close() {
        int number = fd.beginClose();
        if (number < 0) {
            return;
        }
        try {
            if (fd.users() > 1) {
                // Closing alone would not wake blocked threads. ENOTCONN, from a socket that was never connected, does
                // not matter.
                SocketCalls.shutdown(number, 2);
            }
        } finally {
            fd.release();
        }
    }

    /**
     * The identity of the other end.
     *
     * @param pid process, as this process's PID namespace sees it; 0 if it is not visible there
     * @param uid effective user, as this process's user namespace sees it; see {@link UserIds} for users that it does
     *     not see
     * @param gid effective group, likewise
     */
    public record Credentials(int pid, int uid, int gid) {}
}
