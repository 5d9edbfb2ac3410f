// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;

/**
 * How a connected channel's bytes travel. Reads belong to the holder of the channel's read lock, writes to the holder of
 * its write lock, the rest to any thread. Blocks if the channel does. Exceptions are those of the JDK's channels.
 */
interface Transport {
    /** A timeout without end. */
    long FOREVER = Long.MAX_VALUE;

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

    /** Bytes that can be read without waiting. */
    int available() throws IOException;

    void shutdownInput() throws IOException;

    void shutdownOutput() throws IOException;

    /** Whether it was not closed, by the channel or by an interrupt. */
    boolean isOpen();

    InetSocketAddress localAddress() throws IOException;

    InetSocketAddress remoteAddress() throws IOException;

    /** What bits of an event source mean for a selection key of a connected channel. */
    int readyOps(int kernelEvents, int ringEvents);
}
