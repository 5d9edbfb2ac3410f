// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.util.Objects;
import java.util.Set;

/**
 * A PipeDevice socket: a stream of bytes between two processes, without copies on either side.
 *
 * <p>To send, take a block of the socket's send ring ({@link #malloc(int, PdBuffer) malloc}), write into it, post it
 * ({@link #send(PdBuffer, int) send}), and either {@link #free} it at once, which takes effect when it has been sent, or
 * keep it and ask {@link #bufRefresh(PdBuffer) bufRefresh} before writing into it again: until then the driver may still
 * be reading it. To receive, ask where the data lie ({@link #recv(int, PdBuffer) recv}), use them in place, and give the
 * space back with {@link #recvDone}, oldest first. Messages have no bounds, as with TCP; received data are handed out in
 * pieces that end where the ring ends.
 *
 * <p>Threads: one sending thread (malloc, send, write, bufRefresh, shutdownOutput) and one receiving thread (recv,
 * recvDone, read) at a time; all other calls are for any thread. {@link #close} is safe at any time: calls that are
 * blocked wake with a {@link PdException}, later ones throw {@link IllegalStateException}, and so does every access to
 * the memory of the socket's buffers.
 *
 * <p>A socket has at most {@value #MAX_BLOCKS} blocks, and as many posts on their way; more are refused like a lack of
 * room. Closed by whoever opened or accepted it, or by {@link PipeDevice#close}.
 */
public final class PdSocket implements PdConnection, PdListener {
    /** What send returns when there is no room. */
    public static final int WOULD_BLOCK = 0;

    /** What recv returns when the peer has ended the stream and everything was received. */
    public static final int END_OF_STREAM = -1;

    /** Most blocks at a time, and most posts that are not completed. */
    public static final int MAX_BLOCKS = ControlMessage.MAX_OUTSTANDING_SENDS;

    private final SocketCore core;

    PdSocket(SocketCore core) {
        this.core = core;
    }

    /**
     * The socket id, which the driver chose.
     *
     * @return 0 to 65535; used again after the socket is closed
     */
    public int sid() {
        return core.sid;
    }

    /**
     * Gives the socket an address: pd_bind.
     *
     * @param local an address of this container, or the wildcard; port 0 lets the driver choose
     * @throws PdException EADDRINUSE, EADDRNOTAVAIL, EACCES
     */
    public void bind(InetSocketAddress local) throws PdException {
        core.attachment.socketControl().bind(core, Objects.requireNonNull(local));
    }

    /**
     * Begins to accept connections: pd_listen. Called again it changes the backlog, and, by SO_RCVBUF, the rings of
     * connections to come.
     *
     * @param backlog most connections that wait to be accepted, at least 1
     * @throws PdException EADDRINUSE
     */
    public void listen(int backlog) throws PdException {
        if (backlog < 1) {
            throw new IllegalArgumentException("backlog " + backlog + "; it is at least 1");
        }
        core.attachment.socketControl().listen(core, backlog);
    }

    /**
     * Takes a connection that waits: pd_accept.
     *
     * @return the connected socket, for the caller to close; it has this socket's options; null if none waits
     * @throws PdException ENOBUFS or ENOMEM if there is no memory for its send ring (the connection stays waiting),
     *     ENODEV if the driver is gone
     */
    public PdSocket accept() throws PdException {
        try {
            return core.acceptor().accept();
        } catch (IllegalStateException e) {
            throw core.misuse("accept", e);
        }
    }

    /**
     * Waits for a connection.
     *
     * @param timeoutNanos longest time
     * @return the connected socket, or null after the timeout
     * @throws PdException as {@link #accept()}; EBADF if another thread closes this socket meanwhile
     */
    @Override
    public PdSocket accept(long timeoutNanos) throws PdException {
        PipeDevice.checkTimeout(timeoutNanos);
        try {
            return core.acceptor().accept(timeoutNanos);
        } catch (IllegalStateException e) {
            throw core.misuse("accept", e);
        }
    }

    /**
     * Connects to a listening socket of any container that the driver lets this one reach: pd_connect. The outcome is
     * known at once; the peer's accept is not waited for.
     *
     * @param peer where it listens
     * @throws PdException ECONNREFUSED if nobody listens there or the backlog is full, EACCES, EADDRNOTAVAIL,
     *     ENOBUFS or ENOMEM if there is no memory for the rings; the socket may be used again
     */
    public void connect(InetSocketAddress peer) throws PdException {
        try {
            core.attachment.socketControl().connect(core, Objects.requireNonNull(peer));
        } catch (IllegalStateException e) {
            throw core.misuse("connect", e);
        }
    }

    @Override
    public boolean malloc(int size, PdBuffer into) throws PdException {
        try {
            return core.sender().malloc(size, into);
        } catch (IllegalStateException e) {
            throw core.misuse("malloc", e);
        }
    }

    @Override
    public boolean malloc(int size, PdBuffer into, long timeoutNanos) throws PdException {
        PipeDevice.checkTimeout(timeoutNanos);
        try {
            return core.sender().malloc(size, into, timeoutNanos);
        } catch (IllegalStateException e) {
            throw core.misuse("malloc", e);
        }
    }

    @Override
    public int send(PdBuffer buffer, int offset, int length) throws PdException {
        try {
            return core.sender().send(buffer, offset, length);
        } catch (IllegalStateException e) {
            throw core.misuse("send", e);
        }
    }

    @Override
    public int send(PdBuffer buffer, int offset, int length, long timeoutNanos) throws PdException {
        PipeDevice.checkTimeout(timeoutNanos);
        try {
            return core.sender().send(buffer, offset, length, timeoutNanos);
        } catch (IllegalStateException e) {
            throw core.misuse("send", e);
        }
    }

    @Override
    public boolean bufRefresh(PdBuffer buffer) throws PdException {
        try {
            return core.sender().isReusable(buffer);
        } catch (IllegalStateException e) {
            throw core.misuse("bufRefresh", e);
        }
    }

    @Override
    public void free(PdBuffer buffer) {
        core.sender().free(buffer);
    }

    @Override
    public int recv(int maxLength, PdBuffer into) throws PdException {
        try {
            return core.receiver().recv(maxLength, into);
        } catch (IllegalStateException e) {
            throw core.misuse("recv", e);
        }
    }

    @Override
    public int recv(int maxLength, PdBuffer into, long timeoutNanos) throws PdException {
        PipeDevice.checkTimeout(timeoutNanos);
        try {
            return core.receiver().recv(maxLength, into, timeoutNanos);
        } catch (IllegalStateException e) {
            throw core.misuse("recv", e);
        }
    }

    @Override
    public void recvDone(int length) throws PdException {
        try {
            core.receiver().recvDone(length);
        } catch (IllegalStateException e) {
            throw core.misuse("recvDone", e);
        }
    }

    /**
     * Copies as many bytes into the send ring as there is room for, and posts them: malloc, send and free in one call
     * without a handle.
     *
     * @param source the bytes from its position on; of any kind. Its position moves past what was taken
     * @return bytes taken, 0 to {@code source.remaining()}
     * @throws PdException "Connection reset" or "Broken pipe" if the peer is gone or the output is shut, ENODEV if the
     *     driver is gone
     */
    @Override
    public int write(ByteBuffer source) throws PdException {
        try {
            return core.sender().write(source);
        } catch (IllegalStateException e) {
            throw core.misuse("write", e);
        }
    }

    /** A driver's rings do not grow. */
    @Override
    public boolean makesRoom() {
        return false;
    }

    @Override
    public void sendUrgent() throws PdException {
        try {
            core.sender().sendUrgent();
        } catch (IllegalStateException e) {
            throw core.misuse("sendUrgent", e);
        }
    }

    /**
     * Copies as many bytes of several buffers into the send ring as there is room for, in order, and posts them: small
     * buffers together, as one block.
     *
     * @param sources buffers of any kind. Their positions move past what was taken
     * @param offset of the first
     * @param length how many
     * @return bytes taken
     * @throws PdException as {@link #write(ByteBuffer)}; the positions say what was taken before
     */
    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws PdException {
        try {
            return core.sender().write(sources, offset, length);
        } catch (IllegalStateException e) {
            throw core.misuse("write", e);
        }
    }

    /**
     * Waits until it is worth while to write again after a {@link #write} that took less than there was. Belongs to the
     * sending thread.
     *
     * @param timeoutNanos longest time
     * @return false after the timeout; true also if the next write will fail
     * @throws PdException EBADF if another thread closes the socket meanwhile, ENODEV if the driver is gone
     */
    @Override
    public boolean awaitWritable(long timeoutNanos) throws PdException {
        PipeDevice.checkTimeout(timeoutNanos);
        try {
            return core.sender().awaitWritable(timeoutNanos);
        } catch (IllegalStateException e) {
            throw core.misuse("awaitWritable", e);
        }
    }

    @Override
    public int read(ByteBuffer target) throws PdException {
        try {
            return core.receiver().read(target);
        } catch (IllegalStateException e) {
            throw core.misuse("read", e);
        }
    }

    /**
     * Waits until {@link #read} has an answer: data, the end of the stream, or an exception. Belongs to the receiving
     * thread.
     *
     * @param timeoutNanos longest time
     * @return false after the timeout
     * @throws PdException EBADF if another thread closes the socket meanwhile, ENODEV if the driver is gone
     */
    @Override
    public boolean awaitReadable(long timeoutNanos) throws PdException {
        PipeDevice.checkTimeout(timeoutNanos);
        try {
            return core.receiver().awaitReadable(timeoutNanos);
        } catch (IllegalStateException e) {
            throw core.misuse("awaitReadable", e);
        }
    }

    /**
     * How much can be read without waiting. Belongs to the receiving thread.
     *
     * @return in bytes
     * @throws PdException if the driver broke the protocol
     */
    @Override
    public int available() throws PdException {
        try {
            return core.receiver().available();
        } catch (IllegalStateException e) {
            throw core.misuse("available", e);
        }
    }

    /**
     * Receives nothing any more: {@link #recv} and {@link #read} return {@link #END_OF_STREAM}, also those that wait. The
     * peer is not told, as with TCP, until the output is shut, too: what it sends then is lost, and the next send fails. Any
     * thread.
     */
    @Override
    public void shutdownInput() {
        core.attachment.socketControl().shutdownInput(core);
    }

    @Override
    public void stopWrites() {
        core.stopWrites();
        core.touchEpoll();
    }

    /**
     * Ends the stream to the peer, which finds its end after what was posted; receiving goes on. A second call does nothing.
     * Belongs to the sending thread; another one makes that leave by {@link #stopWrites} before.
     *
     * @throws PdException if the driver is gone
     */
    @Override
    public void shutdownOutput() throws PdException {
        try {
            core.attachment.socketControl().shutdownOutput(core);
        } catch (IllegalStateException e) {
            throw core.misuse("shutdownOutput", e);
        }
    }

    /**
     * Closes the socket: pd_close. What was posted is delivered, then the peer finds the end of the stream; but if there
     * are data that {@link #recv} did not hand out, the peer finds the connection reset, as with TCP. A second call does
     * nothing.
     */
    @Override
    public void close() {
        core.close(core.options.abortsOnClose());
    }

    /** Closes the socket and drops what is on its way; the peer finds the connection reset. */
    @Override
    public void abort() {
        core.close(true);
    }

    /**
     * Ends the waits of all threads in this socket, now and for ever: they fail with EBADF, as after {@link #close}, but
     * the socket stays open and calls that do not wait go on. For a program whose threads share a socket under locks of
     * its own: it ends the waits, takes the locks, and then closes. A thread that is in the middle of an access to the
     * socket's memory when {@link #close} closes it is stopped by the JVM, which also sets its interrupt status.
     */
    @Override
    public void endWaits() {
        core.endWaits();
    }

    /**
     * Whether nobody closed the socket.
     *
     * @return false from the beginning of {@link #close} on
     */
    @Override
    public boolean isOpen() {
        return core.isOpen();
    }

    /**
     * Opens an epoll instance that this socket can be added to.
     *
     * @return the instance, for the caller to close
     * @throws PdException if descriptors are exhausted, ENODEV if the driver is gone
     */
    public PdEpoll epoll() throws PdException {
        return core.attachment.newEpoll();
    }

    /**
     * The address of this end.
     *
     * @return null before bind and connect
     */
    @Override
    public InetSocketAddress localAddress() {
        return core.localAddress();
    }

    /**
     * The address of the other end.
     *
     * @return null before connect
     */
    @Override
    public InetSocketAddress peerAddress() {
        return core.peerAddress();
    }

    /**
     * Sets an option: pd_setsockopt. SO_SNDBUF and SO_RCVBUF are the sizes of the rings, rounded to a power of two from 4
     * KB to 4 MB, and have no effect once the rings exist; accepted sockets take them from their listener, SO_RCVBUF as
     * it was at the last listen. SO_LINGER may be 0: close then does what {@link #abort} does; or negative: off.
     *
     * @param <T> type of the value
     * @param option one of {@link #supportedOptions}
     * @param value the value
     * @return this
     * @throws UnsupportedOperationException if it is another option
     */
    public <T> PdSocket setOption(SocketOption<T> option, T value) {
        core.options.set(
                Objects.requireNonNull(option),
                Objects.requireNonNull(value),
                core.state() == SocketCore.State.CONNECTED);
        return this;
    }

    /**
     * Reads an option: pd_getsockopt.
     *
     * @param <T> type of the value
     * @param option one of {@link #supportedOptions}
     * @return the value; for ring sizes, the real size
     * @throws UnsupportedOperationException if it is another option
     */
    public <T> T getOption(SocketOption<T> option) {
        return core.options.get(Objects.requireNonNull(option));
    }

    /**
     * The options that there are.
     *
     * @return SO_SNDBUF, SO_RCVBUF, SO_LINGER of {@link java.net.StandardSocketOptions}
     */
    public Set<SocketOption<?>> supportedOptions() {
        return SocketOptions.SUPPORTED;
    }

    SocketCore core() {
        return core;
    }

    @Override
    public String toString() {
        return "PdSocket{" + core + (core.isOpen() ? "" : ", closed") + '}';
    }
}
