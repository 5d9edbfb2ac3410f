// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * A connection on rings, of either placement, as a stream of bytes. One thread at a time reads and one writes, except
 * where a call is for any thread. The owner closes the connection when no thread is inside; {@link #endWaits} makes
 * threads leave.
 */
public interface PdStream extends PdSource, AutoCloseable {
    /**
     * Copies received bytes into a buffer.
     *
     * @param target receives the bytes from its position on; of any kind
     * @return bytes copied, at least 1; 0 if there are none now or {@code target} is full;
     *     {@link PdSocket#END_OF_STREAM}
     * @throws PdException "Connection reset" after the data that came before it; EPROTO or ENODEV if the other side
     *     broke the protocol or is gone
     */
    int read(ByteBuffer target) throws PdException;

    /**
     * Copies as many bytes into the send ring as there is room for.
     *
     * @param source the bytes from its position on; of any kind. Its position moves past the bytes taken
     * @return bytes taken, 0 to {@code source.remaining()}
     * @throws PdException "Connection reset" or "Broken pipe" if the peer is gone or the output is shut
     */
    int write(ByteBuffer source) throws PdException;

    /**
     * Copies as many bytes of several buffers into the send ring as there is room for, in order, as one write: the
     * reader does not find the first ones alone, unless they are large, there was no room for all, or a driver's ring
     * ended there.
     *
     * @param sources buffers of any kind. Their positions move past the bytes taken
     * @param offset of the first
     * @param length how many
     * @return bytes taken, 0 to what remains in them
     * @throws PdException as {@link #write(ByteBuffer)}; the positions have moved past the bytes taken before
     * @throws IndexOutOfBoundsException if the range is not one of the array's
     */
    long write(ByteBuffer[] sources, int offset, int length) throws PdException;

    /**
     * Lets the owner of bytes put as many of them into the send ring as there is room for.
     *
     * @param source has the bytes
     * @param from how many bytes of the source were taken before
     * @param most how many to take at most
     * @return bytes taken, 0 to {@code most}: fewer if there is no room for more, or the source has put fewer
     * @throws PdException as {@link #write(ByteBuffer)}, if none was taken
     */
    long write(ByteSource source, long from, long most) throws PdException;

    /**
     * Makes room, if possible, after a {@link #write} that did not take everything. For a program that does not wait
     * for its peer to read; a writer that waits does not call this, because a stream whose reader keeps up runs best
     * without more room. If the peer was seen to read fast, the call spins for some microseconds for it to read on.
     * Belongs to the writing thread.
     *
     * @return whether it is worth writing again now
     */
    boolean makesRoom();

    /**
     * Announces whether this end wants urgent data (tcp(7)) in its stream, as a socket does that has enabled
     * SO_OOBINLINE; at first it does not. The peer has the answer when the call returns. No effect if the peer or the
     * driver is gone. Any thread.
     *
     * @param inline whether it does
     */
    void takeUrgent(boolean inline);

    /**
     * Whether the peer wants urgent data in its stream: then they are written as other data are. Any thread.
     *
     * @return the value that the peer has announced last, unchecked
     */
    boolean peerTakesUrgent();

    /**
     * Sends a byte of urgent data to a peer that does not want them in its stream now. The peer gets it if it does when
     * it reads, else skips it. The byte is dropped if it finds no room, or the peer has not read beyond an earlier one;
     * through a driver, always. The call fails where {@link #write} would; through a driver, only if the connection was
     * reset or the peer is gone. Belongs to the writing thread.
     *
     * @param value the byte
     * @throws PdException as {@link #write(ByteBuffer)}
     */
    void offerUrgent(byte value) throws PdException;

    /**
     * Waits until {@link #read} has an answer: data, the end of the stream, or an exception. Belongs to the reading
     * thread.
     *
     * @param timeoutNanos longest time
     * @return false after the timeout
     * @throws PdException EBADF after {@link #endWaits}
     */
    boolean awaitReadable(long timeoutNanos) throws PdException;

    /**
     * Waits until it is worth writing again after a {@link #write} that did not take everything. Belongs to the writing
     * thread.
     *
     * @param timeoutNanos longest time
     * @return false after the timeout; true also if the next write will fail
     * @throws PdException EBADF after {@link #endWaits}
     */
    boolean awaitWritable(long timeoutNanos) throws PdException;

    /**
     * The number of bytes that can be read without waiting. Belongs to the reading thread.
     *
     * @return in bytes
     * @throws PdException if the other side broke the protocol
     */
    int available() throws PdException;

    /** Shuts the input down: {@link #read} returns the end of the stream, also to waiting threads. Any thread. */
    void shutdownInput();

    /**
     * Makes writes fail with EPIPE, also those that wait. A call of {@link #shutdownOutput} must follow. Any thread.
     */
    void stopWrites();

    /**
     * Ends the stream to the peer, which finds the end after the written data. A second call does nothing. Belongs to
     * the writing thread.
     *
     * @throws PdException if the driver is gone
     */
    void shutdownOutput() throws PdException;

    /** Ends the waits of all threads in this connection, present and future: they fail with EBADF. Any thread. */
    void endWaits();

    /**
     * The address of this end.
     *
     * @return null before it is bound
     */
    InetSocketAddress localAddress();

    /**
     * The address of the other end.
     *
     * @return null before it is connected
     */
    InetSocketAddress peerAddress();

    /** Closes the connection as TCP does: written data are delivered, but unread data cause a reset at the peer. */
    @Override
    void close();

    /** Closes the connection and drops the data on their way; the peer finds the connection reset. */
    void abort();
}
