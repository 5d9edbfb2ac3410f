// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdSource;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;

/**
 * How a connected channel's bytes travel. Reads belong to the holder of the channel's read lock, writes to the holder of
 * its write lock, the rest to any thread. Blocks if the channel does. Exceptions are those of the JDK's channels.
 */
interface Transport {
    /** A timeout without end. */
    long FOREVER = Long.MAX_VALUE;

    /** What a selector watches in memory; null where it watches the kernel's channel. */
    PdSource source();

    /**
     * Whether a call may wait in the kernel. Where it does not, {@link #read(ByteBuffer)} and {@link #write(ByteBuffer)} by a
     * thread that must not wait do what can be done at once, in blocking mode, too: {@link BlockingContext#mayWait}.
     */
    boolean waitsInKernel();

    /** Finishes to connect; whether it is connected. The caller has both locks. */
    boolean finishConnect() throws IOException;

    int read(ByteBuffer target) throws IOException;

    long read(ByteBuffer[] targets, int offset, int length) throws IOException;

    /**
     * Reads in blocking mode.
     *
     * @param timeoutNs longest time that it waits, more than 0
     * @throws java.net.SocketTimeoutException after that
     */
    int read(ByteBuffer target, long timeoutNs) throws IOException;

    int write(ByteBuffer source) throws IOException;

    long write(ByteBuffer[] sources, int offset, int length) throws IOException;

    /**
     * Sends a byte of urgent data. The caller has the write lock, unless the transport {@link #waitsInKernel}.
     *
     * @param data its lowest eight bits
     */
    void sendUrgent(int data) throws IOException;

    /**
     * Refuses a write after the output was shut. Does nothing if {@link #write} refuses it.
     *
     * @param tries whether the JDK would try, and so find out about a reset
     */
    void refuseWrite(boolean tries) throws IOException;

    /** Bytes that can be read without waiting. */
    int available() throws IOException;

    void shutdownInput() throws IOException;

    /** Ends the output. A thread that waits to write leaves. */
    void shutdownOutput() throws IOException;

    /**
     * Says what close does with data on their way: 0 drops them, anything else delivers them in the background. The
     * kernel's channel knows already.
     */
    void linger(int seconds);

    /** Bounds the send buffer, of which the kernel's channel knows already. */
    void sendSize(int bytes);

    /** The channel is closed, but has to stay: tells the peer, and does not wait for anything. */
    void endOutput();

    /**
     * The channel is closed: its threads leave, except those in the kernel, which leave when its channel is closed. Called
     * once.
     *
     * @param local as it was last known, null if it never was
     * @param remote the same
     */
    void beginClose(SocketAddress local, SocketAddress remote);

    /**
     * The channel is closed, and no selector has it any more: gives everything back, unless there are threads inside. Then
     * the last one that leaves calls again.
     *
     * @param local as it was last known, null if it never was
     * @param remote the same
     */
    void finishClose(SocketAddress local, SocketAddress remote);

    /** Whether it was not closed, by the channel or by an interrupt. */
    boolean isOpen();

    InetSocketAddress localAddress() throws IOException;

    InetSocketAddress remoteAddress() throws IOException;

    /** What bits of an event source mean for a selection key of a connected channel. */
    int readyOps(int kernelEvents, int ringEvents);
}
