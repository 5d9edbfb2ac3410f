// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PdSource;
import io.pipedevice.lib.PdStream;
import io.pipedevice.lib.SpinMode;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.Gather;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.util.concurrent.atomic.AtomicBoolean;

/** A connection on rings. Tries first, and only what has to wait can be interrupted. */
final class RingTransport implements Transport {
    /** So often a read looks before it prepares to wait, which by itself takes as long as an answer of the peer's. */
    private static final int LOOKS = SpinMode.inUse() == SpinMode.NEVER ? 0 : 64;

    /** Who was told of a reset, which the kernel tells once: the reader, or the writer. */
    private enum Reset {
        UNTOLD,
        TOLD_READER,
        TOLD_WRITER
    }

    private final PdSocketChannel channel;
    private final RingConnection rings;
    private final PdStream socket;

    /** Set by reader and writer; when both find a reset at once either may be the one. */
    private volatile Reset reset = Reset.UNTOLD;

    private volatile boolean outputShut;

    /** For a write of one buffer that has to wait; the writing thread's. */
    private final ByteBuffer[] single = new ByteBuffer[1];

    /** Whether it is counted that the peer broke the protocol. */
    private final AtomicBoolean violated = new AtomicBoolean();

    RingTransport(PdSocketChannel channel, RingConnection rings) {
        this.channel = channel;
        this.rings = rings;
        this.socket = rings.stream();
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
            throwIfTold();
            throw new IllegalArgumentException("Read-only buffer");
        }
    }

    private void leaveIfInterrupted() throws IOException {
        if (channel.isBlocking()) {
            channel.enter();
            channel.exit(true);
        }
    }

    private void throwIfTold() throws IOException {
        if (reset == Reset.TOLD_READER) {
            throw new SocketException("Connection reset");
        }
    }

    private int waitAndRead(ByteBuffer target, long timeoutNs) throws IOException {
        int length = 0;
        long start = System.nanoTime();
        channel.enter();
        try {
            while (length == 0 && channel.isOpen()) {
                long left = timeoutNs == FOREVER ? FOREVER : timeoutNs - (System.nanoTime() - start);
                if (left <= 0 || !await(true, left)) {
                    throw new SocketTimeoutException("Read timed out");
                }
                length = tryRead(target);
            }
        } finally {
            channel.exit(length > 0);
        }
        return length;
    }

    /** Waits for data or room; returns at once if the channel is being closed. */
    private boolean await(boolean toRead, long timeoutNs) throws IOException {
        try {
            return toRead ? socket.awaitReadable(timeoutNs) : socket.awaitWritable(timeoutNs);
        } catch (PdException e) {
            // The next try has the right words.
            return true;
        }
    }

    private int tryRead(ByteBuffer target) throws IOException {
        throwIfTold();
        try {
            return socket.read(target);
        } catch (PdException e) {
            countViolation(e);
            if (reset == Reset.TOLD_WRITER) {
                return PdSocket.END_OF_STREAM;
            }
            reset = Reset.TOLD_READER;
            throw (IOException) new SocketException("Connection reset").initCause(e);
        }
    }

    private void countViolation(PdException e) {
        if (e.errno() == Errno.EPROTO && !violated.getAndSet(true)) {
            Statistics.violated();
        }
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            requireWritable(targets[i]);
        }
        if (Gather.remaining(targets, offset, length) == 0) {
            leaveIfInterrupted();
            throwIfTold();
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
                count = available() == 0 ? 0 : tryRead(targets[i]);
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
        boolean waits = channel.isBlocking();
        int before = source.position();
        if (!waits || !Thread.currentThread().isInterrupted()) {
            tryWrite(source);
            if (!waits || !source.hasRemaining()) {
                return source.position() - before;
            }
        }
        StreamCall.checkMayWait(channel);
        single[0] = source;
        try {
            return (int) waitAndWrite(single, 0, 1, source.limit() - before);
        } finally {
            single[0] = null;
        }
    }

    /** Writes the rest of so many bytes, unless the channel is closed meanwhile; returns how many are written. */
    private long waitAndWrite(ByteBuffer[] sources, int offset, int length, long all) throws IOException {
        long left = Gather.remaining(sources, offset, length);
        channel.enter();
        try {
            while (left > 0 && channel.isOpen()) {
                requireOutput();
                socket.write(sources, offset, length);
                left = Gather.remaining(sources, offset, length);
                if (left > 0) {
                    await(false, FOREVER);
                }
            }
        } catch (IOException e) {
            left = Gather.remaining(sources, offset, length);
            if (left == all) {
                throw failure(e);
            }
            // What was taken counts; the next write finds the same, and is told.
        } finally {
            channel.exit(left < all || left == 0);
        }
        return all - left;
    }

    private void tryWrite(ByteBuffer source) throws IOException {
        if (!source.hasRemaining()) {
            // The JDK does not ask the kernel for nothing, and so hears no bad news.
            return;
        }
        requireOutput();
        try {
            socket.write(source);
        } catch (PdException e) {
            throw failure(e);
        }
    }

    private void requireOutput() throws IOException {
        if (outputShut) {
            throw new IOException("Broken pipe");
        }
    }

    /** How a write says that it failed, which is the news of a reset. */
    private IOException failure(IOException e) {
        if (!(e instanceof PdException refusal)) {
            return e;
        }
        countViolation(refusal);
        if (refusal.errno() == Errno.EPIPE || reset != Reset.UNTOLD) {
            return new IOException("Broken pipe", e);
        }
        reset = Reset.TOLD_WRITER;
        return new IOException("Connection reset by peer", e);
    }

    /**
     * A write after the output was shut. It fails anyhow, but the JDK makes it in non-blocking mode, and so it is told of a
     * reset, which nobody is told twice.
     */
    void writeInVain() {
        if (reset == Reset.UNTOLD) {
            try {
                socket.write(ByteBuffer.allocate(0));
            } catch (PdException e) {
                reset = e.errno() == Errno.ECONNRESET ? Reset.TOLD_WRITER : reset;
            }
        }
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        boolean waits = channel.isBlocking();
        long all = Gather.remaining(sources, offset, length);
        if (!waits || !Thread.currentThread().isInterrupted()) {
            long left = tryWrite(sources, offset, length, all);
            if (!waits || left == 0) {
                return all - left;
            }
        }
        // Also by a thread that holds the blocking lock: no stream of the JDK's gathers.
        return waitAndWrite(sources, offset, length, all);
    }

    /** Returns how much of so many bytes there was no room for. */
    private long tryWrite(ByteBuffer[] sources, int offset, int length, long all) throws IOException {
        if (all == 0) {
            return 0;
        }
        requireOutput();
        try {
            return all - socket.write(sources, offset, length);
        } catch (PdException e) {
            long left = Gather.remaining(sources, offset, length);
            if (left == all) {
                throw failure(e);
            }
            return left;
        }
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
        outputShut = true;
        try {
            socket.stopWrites();
        } catch (PdException | IllegalStateException e) {
            // As in endOutput, which follows.
            return;
        }
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
