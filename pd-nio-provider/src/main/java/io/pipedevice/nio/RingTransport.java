// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSource;
import io.pipedevice.lib.PdStream;
import io.pipedevice.lib.SpinMode;
import io.pipedevice.memory.Gather;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;

/** A connection on rings. Tries first, and only what has to wait can be interrupted. */
final class RingTransport implements Transport {
    /** So often a read looks before it prepares to wait, which by itself takes as long as an answer of the peer's. */
    private static final int LOOKS = SpinMode.inUse() == SpinMode.NEVER ? 0 : 64;

    private final PdSocketChannel channel;
    private final RingConnection rings;
    private final PdStream socket;
    private final ResetNews news = new ResetNews();
    private final RingWriter writer;

    RingTransport(PdSocketChannel channel, RingConnection rings, ConnectionRecord record) {
        this.channel = channel;
        this.rings = rings;
        this.socket = rings.stream();
        this.writer = new RingWriter(channel, socket, news, record);
    }

    PdSource source() {
        return socket;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return read(target, FOREVER, true);
    }

    @Override
    public int read(ByteBuffer target, long timeoutNs) throws IOException {
        return read(target, timeoutNs, false);
    }

    /** A call that may be a stream's does not wait while its thread holds the blocking lock. */
    private int read(ByteBuffer target, long timeoutNs, boolean mayBeStream) throws IOException {
        requireWritable(target);
        OpenArena.check(target);
        boolean waits = channel.isBlocking();
        if (!waits || !Thread.currentThread().isInterrupted()) {
            int length = tryRead(target);
            for (int i = 0; length == 0 && waits && i < LOOKS && target.hasRemaining(); i++) {
                Thread.onSpinWait();
                length = tryRead(target);
            }
            if (length != 0 || !waits || !target.hasRemaining()) {
                return length;
            }
        }
        if (mayBeStream) {
            StreamCall.checkMayWait(channel);
        }
        return waitAndRead(target, timeoutNs);
    }

    /** Refuses what cannot be read into, unless there is worse to tell, as the JDK. */
    private void requireWritable(ByteBuffer target) throws IOException {
        if (target.isReadOnly()) {
            leaveIfInterrupted();
            news.throwIfRead();
            throw new IllegalArgumentException("Read-only buffer");
        }
    }

    private void leaveIfInterrupted() throws IOException {
        if (channel.isBlocking()) {
            channel.enter();
            channel.exit(true);
        }
    }

    private int waitAndRead(ByteBuffer target, long timeoutNs) throws IOException {
        int length = 0;
        long start = System.nanoTime();
        channel.enter();
        try {
            while (length == 0 && channel.isOpen()) {
                long left = timeoutNs == FOREVER ? FOREVER : timeoutNs - (System.nanoTime() - start);
                if (left <= 0 || !await(left)) {
                    throw new SocketTimeoutException("Read timed out");
                }
                length = tryRead(target);
            }
        } finally {
            channel.exit(length > 0);
        }
        return length;
    }

    /** Waits for data; returns at once if the channel is being closed. */
    private boolean await(long timeoutNs) {
        try {
            return socket.awaitReadable(timeoutNs);
        } catch (PdException e) {
            // The next try has the right words.
            return true;
        }
    }

    /** Reads beside what was read already: that counts. */
    private int tryMore(ByteBuffer target) {
        try {
            return socket.read(target);
        } catch (PdException e) {
            // The next read finds the same, and has the words for it.
            return 0;
        }
    }

    private int tryRead(ByteBuffer target) throws IOException {
        news.throwIfRead();
        try {
            return socket.read(target);
        } catch (PdException e) {
            return news.failRead(e);
        }
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            requireWritable(targets[i]);
        }
        OpenArena.check(targets, offset, length);
        if (Gather.remaining(targets, offset, length) == 0) {
            leaveIfInterrupted();
            news.throwIfRead();
            return 0;
        }
        long sum = 0;
        for (int i = offset; i < offset + length; i++) {
            if (!targets[i].hasRemaining()) {
                continue;
            }
            int count;
            if (sum == 0) {
                // Also by a thread that holds the blocking lock: no stream of the JDK's scatters.
                count = read(targets[i], FOREVER);
            } else {
                count = available() == 0 ? 0 : tryMore(targets[i]);
            }
            if (count <= 0) {
                return sum == 0 ? count : sum;
            }
            sum += count;
            if (targets[i].hasRemaining()) {
                break;
            }
        }
        return sum;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return writer.write(source);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        return writer.write(sources, offset, length);
    }

    void sendUrgent() throws IOException {
        writer.sendUrgent();
    }

    /** A write after the output was shut. */
    void writeInVain() {
        writer.writeInVain();
    }

    @Override
    public int available() {
        try {
            return socket.available();
        } catch (PdException e) {
            // As the kernel: the next read says it.
            return 0;
        }
    }

    @Override
    public void shutdownInput() {
        socket.shutdownInput();
    }

    /** Makes a writer that waits leave; {@link #endOutput} does the rest. */
    @Override
    public void shutdownOutput() {
        writer.shutdown();
    }

    /** Ends the stream; nobody writes now. */
    void endOutput() {
        try {
            socket.shutdownOutput();
        } catch (PdException | IllegalStateException e) {
            // A peer or driver that is gone needs no end of the stream, nor does a socket that is being closed.
            return;
        }
    }

    /** The channel is being closed: who waits leaves. */
    void endWaits() {
        socket.endWaits();
    }

    void linger(int seconds) {
        rings.linger(seconds);
    }

    void sendSize(int bytes) {
        rings.sendSize(bytes);
    }

    /** Closes the socket; nobody reads or writes any more. */
    void close() {
        rings.close();
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public InetSocketAddress localAddress() {
        return socket.localAddress();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return socket.peerAddress();
    }

    @Override
    public int readyOps(int kernelEvents, int ringEvents) {
        if ((ringEvents & (PdEpoll.ERR | PdEpoll.HUP)) != 0) {
            return SelectionKey.OP_READ | SelectionKey.OP_WRITE;
        }
        return ((ringEvents & PdEpoll.IN) != 0 ? SelectionKey.OP_READ : 0)
                | ((ringEvents & PdEpoll.OUT) != 0 ? SelectionKey.OP_WRITE : 0);
    }
}
