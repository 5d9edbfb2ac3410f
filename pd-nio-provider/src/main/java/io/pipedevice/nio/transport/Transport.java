// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

import io.pipedevice.lib.PdSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * The way that the bytes of a connected channel take. Reads belong to the holder of the channel's read lock, writes to
 * the holder of its write lock, the other methods to any thread. A transport blocks if its channel does. Its exceptions
 * are those of the JDK's channels. The channel closes it, by {@link #beginClose} and {@link #finishClose}.
 */
public interface Transport {
    /** A timeout that never ends. */
    long FOREVER = Long.MAX_VALUE;

    /** The result of a transfer of a file that must be written by copies. */
    long UNSUPPORTED = -1;

    /**
     * Returns the socket that a selector watches in memory.
     *
     * @return null if a selector watches the kernel's channel instead
     */
    PdSource source();

    /**
     * Whether a call may wait in the kernel. Where it does not, {@link #read(ByteBuffer)} and
     * {@link #write(ByteBuffer)} by a thread that must not wait do what can be done at once, also in blocking mode:
     * {@link BlockingContext#mayWait}.
     *
     * @return the same at each call
     */
    boolean waitsInKernel();

    /**
     * Finishes a connect. The caller holds both locks.
     *
     * @return whether the channel is connected
     * @throws IOException if it cannot connect
     */
    boolean finishConnect() throws IOException;

    /**
     * Reads.
     *
     * @param target receives the bytes
     * @return bytes read; 0 if there are none now and the thread does not wait; -1 at the end of the stream
     * @throws IOException if the connection was reset, or the channel closed
     */
    int read(ByteBuffer target) throws IOException;

    /**
     * Reads into several buffers.
     *
     * @param targets receive the bytes, in order
     * @param offset of the first
     * @param length how many
     * @return as {@link #read(ByteBuffer)}
     * @throws IOException as {@link #read(ByteBuffer)}
     */
    long read(ByteBuffer[] targets, int offset, int length) throws IOException;

    /**
     * Reads in blocking mode.
     *
     * @param target receives the bytes; backed by an array
     * @param timeoutNs the longest wait, more than 0
     * @return as {@link #read(ByteBuffer)}
     * @throws java.net.SocketTimeoutException after that time
     * @throws IOException as {@link #read(ByteBuffer)}
     */
    int read(ByteBuffer target, long timeoutNs) throws IOException;

    /**
     * Writes.
     *
     * @param source the bytes
     * @return bytes written: all of them if the thread waits, else as many as there is room for
     * @throws IOException if the peer is gone, or the channel closed
     */
    int write(ByteBuffer source) throws IOException;

    /**
     * Writes several buffers.
     *
     * @param sources the bytes, in order
     * @param offset of the first
     * @param length how many
     * @return as {@link #write(ByteBuffer)}
     * @throws IOException as {@link #write(ByteBuffer)}
     */
    long write(ByteBuffer[] sources, int offset, int length) throws IOException;

    /**
     * Writes bytes of a file, as {@link FileChannel#transferTo} does to a channel of the JDK.
     *
     * @param file the file
     * @param position of the first byte
     * @param count the most bytes
     * @return bytes written; {@link #UNSUPPORTED} if nothing is known to be at that position
     * @throws IOException as {@link #write(ByteBuffer)}, or if the file cannot be read or was closed
     */
    long transfer(FileChannel file, long position, long count) throws IOException;

    /**
     * Transfers as {@link #transfer}, by a virtual thread in the place of one that must not wait. Waits for room for
     * some bytes, and does not block the thread that carries it.
     *
     * @param file the file
     * @param position of the first byte
     * @param count the most bytes
     * @return bytes written; {@link #UNSUPPORTED} if nothing is known to be at that position
     * @throws IOException as {@link #transfer}
     */
    default long transferForStream(FileChannel file, long position, long count) throws IOException {
        return transfer(file, position, count);
    }

    /**
     * Sends a byte of urgent data, which the peer drops unless it wants them in its stream. The caller holds the write
     * lock, unless the transport {@link #waitsInKernel}.
     *
     * @param data its lowest eight bits
     * @throws IOException as {@link #write(ByteBuffer)}
     */
    void sendUrgent(int data) throws IOException;

    /**
     * Refuses a write after the output was shut. Does nothing if {@link #write} refuses it.
     *
     * @param tries whether the JDK would try to write, and so would find a reset
     * @throws IOException the refusal
     */
    void refuseWrite(boolean tries) throws IOException;

    /**
     * The failure of a write of a stream after the output was shut. As with the JDK, the streams of a socket of
     * java.net try to write, and so find a reset; those of a channel's adaptor do not.
     *
     * @return for the caller to throw
     */
    IOException shutFailure();

    /**
     * Returns how much can be read without waiting.
     *
     * @return in bytes
     * @throws IOException if the channel is closed
     */
    int available() throws IOException;

    /**
     * Ends the input. A thread that waits to read leaves.
     *
     * @throws IOException if the kernel refuses
     */
    void shutdownInput() throws IOException;

    /**
     * Ends the output. A thread that waits to write leaves.
     *
     * @throws IOException if the kernel refuses
     */
    void shutdownOutput() throws IOException;

    /**
     * Sets what a close does with data that the peer has not read. The kernel's channel has this option itself.
     *
     * @param seconds 0 to drop them; any other number delivers them in the background
     */
    void linger(int seconds);

    /**
     * Limits the send buffer. The kernel's channel has this option itself.
     *
     * @param bytes the most that it is to hold
     */
    void sendSize(int bytes);

    /**
     * Sets whether urgent data come in the stream. The kernel's channel has this option itself.
     *
     * @param inline whether they do; else they are dropped
     */
    void takeUrgent(boolean inline);

    /** Notifies the peer of a close, before the connection is closed. Does not wait. */
    void endOutput();

    /**
     * Begins the close: makes the threads inside leave, except those in the kernel, which leave when its channel is
     * closed. Called once.
     *
     * @param local the last known local address; null if there was none
     * @param remote the last known address of the peer; null if there was none
     */
    void beginClose(SocketAddress local, SocketAddress remote);

    /**
     * Ends the close, when no selector has the channel any more: releases all resources, unless there are threads
     * inside. Then the last one that leaves calls this again.
     *
     * @param local the last known local address; null if there was none
     * @param remote the last known address of the peer; null if there was none
     */
    void finishClose(SocketAddress local, SocketAddress remote);

    /**
     * Whether the transport is open.
     *
     * @return false if the channel, or an interrupt, has closed it
     */
    boolean isOpen();

    /**
     * Returns the local address.
     *
     * @return as the connection was made
     * @throws IOException if the kernel's channel is closed
     */
    InetSocketAddress localAddress() throws IOException;

    /**
     * Returns the peer's address.
     *
     * @return as the connection was made
     * @throws IOException if the kernel's channel is closed
     */
    InetSocketAddress remoteAddress() throws IOException;

    /**
     * Translates events to the operations of a connected channel that they make ready.
     *
     * @param kernelEvents bits of poll(2), of the kernel's channel
     * @param ringEvents bits of {@link io.pipedevice.lib.PdEpoll}, of {@link #source}
     * @return bits of {@link java.nio.channels.SelectionKey}
     */
    int readyOps(int kernelEvents, int ringEvents);
}
