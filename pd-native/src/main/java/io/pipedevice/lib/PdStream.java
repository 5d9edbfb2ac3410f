// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * A connection on rings, of either placement, as a stream of bytes. One thread at a time reads, one writes; what says so is
 * for any thread. Its owner closes it when no thread is inside; {@link #endWaits} makes them leave.
 */
public interface PdStream extends PdSource, AutoCloseable {
    /**
     * Copies what has arrived.
     *
     * @param target receives the bytes from its position on; of any kind
     * @return bytes copied, at least 1; 0 if there are none now or {@code target} is full; {@link PdSocket#END_OF_STREAM}
     * @throws PdException "Connection reset" after the data that came before it; EPROTO or ENODEV if the other side broke
     *     the protocol or is gone
     */
    int read(ByteBuffer target) throws PdException;

    /**
     * Copies as many bytes into the send ring as there is room for.
     *
     * @param source the bytes from its position on; of any kind. Its position moves past what was taken
     * @return bytes taken, 0 to {@code source.remaining()}
     * @throws PdException "Connection reset" or "Broken pipe" if the peer is gone or the output is shut
     */
    int write(ByteBuffer source) throws PdException;

    /**
     * Copies as many bytes of several buffers into the send ring as there is room for, in order, as one write: the
     * reader does not find the first ones alone, unless they are many bytes, there was no room for all, or a driver's ring
     * ended there.
     *
     * @param sources buffers of any kind. Their positions move past what was taken
     * @param offset of the first
     * @param length how many
     * @return bytes taken, 0 to what remains in them
     * @throws PdException as {@link #write(ByteBuffer)}; the positions say what was taken before
     * @throws IndexOutOfBoundsException if the range is not one of the array's
     */
    long write(ByteBuffer[] sources, int offset, int length) throws PdException;

    /**
     * Makes room, if it can be had, after a {@link #write} that took less than there was, for a program that does not wait
     * for its peer to read. A writer that waits does not ask: a stream that is read runs best without. Belongs to the
     * writing thread; looks for some microseconds whether the peer reads on, if it was seen to read fast.
     *
     * @return whether it is worth while to write again now
     */
    boolean makesRoom();

    /**
     * Sends a byte of urgent data (tcp(7)), which the peer drops, since it never asks for them in line. So nothing is
     * sent; but whether anybody is there is found out as by {@link #write}; through a driver only if the connection was
     * reset, or the peer is gone. Belongs to the writing thread.
     *
     * @throws PdException as {@link #write(ByteBuffer)}
     */
    void sendUrgent() throws PdException;

    /**
     * Waits until {@link #read} has something to say. Belongs to the reading thread.
     *
     * @param timeoutNanos longest time
     * @return false after the timeout
     * @throws PdException EBADF after {@link #endWaits}
     */
    boolean awaitReadable(long timeoutNanos) throws PdException;

    /**
     * Waits until it is worth while to write again after a {@link #write} that took less than there was. Belongs to the
     * writing thread.
     *
     * @param timeoutNanos longest time
     * @return false after the timeout; true also if the next write will fail
     * @throws PdException EBADF after {@link #endWaits}
     */
    boolean awaitWritable(long timeoutNanos) throws PdException;

    /**
     * How much can be read without waiting. Belongs to the reading thread.
     *
     * @return in bytes
     * @throws PdException if the other side broke the protocol
     */
    int available() throws PdException;

    /** Reads nothing any more: {@link #read} returns the end of the stream, also to those that wait. Any thread. */
    void shutdownInput();

    /**
     * Accepts no writes any more: they fail with EPIPE, also those that wait. {@link #shutdownOutput} has to follow. Any
     * thread.
     */
    void stopWrites();

    /**
     * Ends the stream to the peer, which finds its end after what was written. A second call does nothing. Belongs to the
     * writing thread.
     *
     * @throws PdException if the driver is gone
     */
    void shutdownOutput() throws PdException;

    /** Ends the waits of all threads in this connection, now and for ever: they fail with EBADF. Any thread. */
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

    /** Closes the connection, as TCP does: what was written is delivered, but unread data reset the peer. */
    @Override
    void close();

    /** Closes the connection and drops what is on its way; the peer finds the connection reset. */
    void abort();
}
