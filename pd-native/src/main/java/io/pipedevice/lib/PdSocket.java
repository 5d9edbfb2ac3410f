// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import io.pipedevice.protocol.ControlMessage;
import java.net.InetSocketAddress;
import java.net.SocketOption;
import java.nio.ByteBuffer;
import java.util.Set;

/**
 * A PipeDevice socket: a stream of bytes between two processes, without copies on either side.
 *
 * <p>To send, take a block of the socket's send ring ({@link #malloc(int, PdBuffer) malloc}), write into it, post it
 * ({@link #send(PdBuffer, int) send}), and either {@link #free} it at once, which takes effect when it has been sent,
 * or keep it and ask {@link #bufRefresh(PdBuffer) bufRefresh} before writing into it again: until then the driver may
 * still be reading it. To receive, ask where the data lie ({@link #recv(int, PdBuffer) recv}), use them in place, and
 * give the space back with {@link #recvDone}, oldest first. Messages have no bounds, as with TCP; received data are
 * handed out in pieces that end where the ring ends.
 *
 * <p>Threads: one sending thread (malloc, send, write, bufRefresh, shutdownOutput) and one receiving thread (recv,
 * recvDone, read) may be active at a time; any thread may make all other calls. {@link #close} is safe at any time:
 * blocked calls fail with a {@link PdException}; later calls, and every access to the memory of the socket's buffers,
 * throw {@link IllegalStateException}.
 *
 * <p>A socket has at most {@value #MAX_BLOCKS} blocks, and as many posts on their way; beyond that, calls return as if
 * there were no room. Closed by its owner, or by {@link PipeDevice#close}.
 */
public interface PdSocket extends PdConnection, PdListener {
    /** The result of send when there is no room. */
    int WOULD_BLOCK = 0;

    /** The result of recv when the peer has ended the stream and everything was received. */
    int END_OF_STREAM = -1;

    /** The most blocks at a time, and the most posts that are not completed. */
    int MAX_BLOCKS = ControlMessage.MAX_OUTSTANDING_SENDS;

    /**
     * The socket id, which the driver assigned.
     *
     * @return 0 to 65535; the driver may use it again after the socket is closed
     */
    int sid();

    /**
     * Gives the socket an address: pd_bind.
     *
     * @param local an address of this process, or the wildcard; port 0 lets the driver choose
     * @throws PdException EADDRINUSE, EADDRNOTAVAIL, EACCES
     */
    void bind(InetSocketAddress local) throws PdException;

    /**
     * Begins to accept connections: pd_listen. A later call changes the backlog and, by SO_RCVBUF, the receive rings of
     * later connections.
     *
     * @param backlog most connections that wait to be accepted, at least 1
     * @throws PdException EADDRINUSE
     */
    void listen(int backlog) throws PdException;

    /**
     * Takes a connection from the backlog: pd_accept.
     *
     * @return the connected socket, with this socket's options, for the caller to close; null if there is none
     * @throws PdException ENOBUFS or ENOMEM if there is no memory for its send ring (the connection stays in the
     *     backlog), ENODEV if the driver is gone
     */
    PdSocket accept() throws PdException;

    /**
     * Waits for a connection.
     *
     * @param timeoutNanos longest time
     * @return the connected socket, or null after the timeout
     * @throws PdException as {@link #accept()}; EBADF if another thread closes this socket meanwhile
     */
    @Override
    PdSocket accept(long timeoutNanos) throws PdException;

    /**
     * Connects to a listening socket of any process that the driver lets this one reach: pd_connect. The outcome is
     * known at once; the call does not wait until the peer accepts.
     *
     * @param peer the address of the listener
     * @throws PdException ECONNREFUSED if there is no listener or the backlog is full, EACCES, EADDRNOTAVAIL, ENOBUFS
     *     or ENOMEM if there is no memory for the rings; the socket may be used again
     */
    void connect(InetSocketAddress peer) throws PdException;

    /**
     * Copies as many bytes into the send ring as there is room for, and posts them: malloc, send and free in one call
     * without a handle.
     *
     * @param source the bytes from its position on; of any kind. Its position moves past the bytes taken
     * @return bytes taken, 0 to {@code source.remaining()}
     * @throws PdException "Connection reset" or "Broken pipe" if the peer is gone or the output is shut, ENODEV if the
     *     driver is gone
     */
    @Override
    int write(ByteBuffer source) throws PdException;

    /** A driver's rings do not grow. */
    @Override
    boolean makesRoom();

    /**
     * Copies as many bytes of several buffers into the send ring as there is room for, in order, and posts them: small
     * buffers together, as one block.
     *
     * @param sources buffers of any kind. Their positions move past the bytes taken
     * @param offset of the first
     * @param length how many
     * @return bytes taken
     * @throws PdException as {@link #write(ByteBuffer)}; the positions have moved past the bytes taken before
     */
    @Override
    long write(ByteBuffer[] sources, int offset, int length) throws PdException;

    /**
     * Waits until it is worth writing again after a {@link #write} that did not take everything. Belongs to the sending
     * thread.
     *
     * @param timeoutNanos longest time
     * @return false after the timeout; true also if the next write will fail
     * @throws PdException EBADF if another thread closes the socket meanwhile, ENODEV if the driver is gone
     */
    @Override
    boolean awaitWritable(long timeoutNanos) throws PdException;

    /**
     * Waits until {@link #read} has an answer: data, the end of the stream, or an exception. Belongs to the receiving
     * thread.
     *
     * @param timeoutNanos longest time
     * @return false after the timeout
     * @throws PdException EBADF if another thread closes the socket meanwhile, ENODEV if the driver is gone
     */
    @Override
    boolean awaitReadable(long timeoutNanos) throws PdException;

    /**
     * The number of bytes that can be read without waiting. Belongs to the receiving thread.
     *
     * @return in bytes
     * @throws PdException if the driver broke the protocol
     */
    @Override
    int available() throws PdException;

    /**
     * Shuts the input down: {@link #recv} and {@link #read} return {@link #END_OF_STREAM}, also calls that wait. As
     * with TCP, the peer is not notified until the output is shut, too: data that it sends then are lost, and its next
     * send fails. Any thread.
     */
    @Override
    void shutdownInput();

    /**
     * Ends the stream to the peer, which finds the end after the posted data. Receiving continues. A second call does
     * nothing. Belongs to the sending thread; another thread calls {@link #stopWrites} first, which makes the sending
     * thread leave.
     *
     * @throws PdException if the driver is gone
     */
    @Override
    void shutdownOutput() throws PdException;

    /**
     * Closes the socket: pd_close. Posted data are delivered, then the peer finds the end of the stream. If there are
     * data that {@link #recv} did not hand out, the peer finds the connection reset instead, as with TCP. A second call
     * does nothing.
     */
    @Override
    void close();

    /** Closes the socket and drops the data on their way; the peer finds the connection reset. */
    @Override
    void abort();

    /**
     * Ends the waits of all threads in this socket, present and future: they fail with EBADF, as after {@link #close},
     * but the socket stays open, and calls that do not wait still work. A program whose threads share a socket under
     * its own locks ends the waits, takes the locks, and then closes. If {@link #close} comes while a thread accesses
     * the socket's memory, the JVM stops that access and sets the thread's interrupt status.
     */
    @Override
    void endWaits();

    /**
     * Whether the socket is open.
     *
     * @return false from the beginning of {@link #close} on
     */
    @Override
    boolean isOpen();

    /**
     * Opens an epoll instance that this socket can be added to.
     *
     * @return the instance, for the caller to close
     * @throws PdException if descriptors are exhausted, ENODEV if the driver is gone
     */
    PdEpoll epoll() throws PdException;

    /**
     * The address of this end.
     *
     * @return null before bind and connect
     */
    @Override
    InetSocketAddress localAddress();

    /**
     * The address of the other end.
     *
     * @return null before connect
     */
    @Override
    InetSocketAddress peerAddress();

    /**
     * Sets an option: pd_setsockopt. SO_SNDBUF and SO_RCVBUF are the sizes of the rings, rounded to a power of two from
     * 4 KB to 4 MB, and have no effect once the rings exist. Accepted sockets take them from their listener, SO_RCVBUF
     * as it was at the last listen. SO_LINGER may be 0, which makes close act like {@link #abort}, or negative, which
     * turns it off.
     *
     * @param <T> type of the value
     * @param option one of {@link #supportedOptions}
     * @param value the value
     * @return this
     * @throws UnsupportedOperationException if it is another option
     */
    <T> PdSocket setOption(SocketOption<T> option, T value);

    /**
     * Reads an option: pd_getsockopt.
     *
     * @param <T> type of the value
     * @param option one of {@link #supportedOptions}
     * @return the value; for ring sizes, the real size
     * @throws UnsupportedOperationException if it is another option
     */
    <T> T getOption(SocketOption<T> option);

    /**
     * The options of this socket.
     *
     * @return SO_SNDBUF, SO_RCVBUF, SO_LINGER of {@link java.net.StandardSocketOptions}
     */
    Set<SocketOption<?>> supportedOptions();
}
