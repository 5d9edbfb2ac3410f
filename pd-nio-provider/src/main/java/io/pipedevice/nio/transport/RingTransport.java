// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSource;
import io.pipedevice.lib.PdStream;
import io.pipedevice.nio.placement.RingConnection;
import io.pipedevice.nio.stat.ConnectionRecord;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;

/**
 * A connection on rings. Each call tries first, and only a call that has to wait can be interrupted. The stream ends
 * when no thread writes, and the connection is closed when no thread reads or writes.
 */
public final class RingTransport implements Transport {
    private final BlockingContext context;
    private final TransportGuard guard;
    private final RingConnection rings;
    private final PdStream socket;
    private final ConnectionRecord record;
    private final RingReader reader;
    private final RingWriter writer;
    private final FileToRing files;

    /**
     * Creates the transport of a connection.
     *
     * @param context the channel
     * @param guard runs the end of the stream and the close of the connection when no thread is inside
     * @param rings the connection, which the transport owns from now on
     * @param record counts the connection; ended at its close
     */
    public RingTransport(BlockingContext context, TransportGuard guard, RingConnection rings, ConnectionRecord record) {
        this.context = context;
        this.guard = guard;
        this.rings = rings;
        this.socket = rings.stream();
        this.record = record;
        ResetReport resets = new ResetReport();
        this.reader = new RingReader(context, socket, resets);
        this.writer = new RingWriter(context, socket, resets, record);
        this.files = new FileToRing(context, writer, record);
    }

    @Override
    public PdSource source() {
        return socket;
    }

    @Override
    public boolean waitsInKernel() {
        return false;
    }

    /** The connection has existed since the decision for rings. */
    @Override
    public boolean finishConnect() throws IOException {
        context.leaveIfInterrupted();
        return true;
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return reader.read(target, FOREVER, true);
    }

    @Override
    public int read(ByteBuffer target, long timeoutNs) throws IOException {
        return reader.read(target, timeoutNs, false);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        return reader.read(targets, offset, length);
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return writer.write(source);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        return writer.write(sources, offset, length);
    }

    @Override
    public long transfer(FileChannel file, long position, long count) throws IOException {
        return files.transfer(file, position, count);
    }

    @Override
    public void sendUrgent(int data) throws IOException {
        writer.sendUrgent(data);
    }

    @Override
    public void refuseWrite(boolean tries) throws IOException {
        if (tries) {
            writer.writeInVain();
        }
        throw new AsynchronousCloseException();
    }

    @Override
    public IOException shutFailure() {
        return context.isInterruptible() ? new ClosedChannelException() : writer.shutFailure();
    }

    @Override
    public int available() {
        return reader.available();
    }

    @Override
    public void shutdownInput() {
        socket.shutdownInput();
    }

    /** Makes a waiting writer leave, and then ends the stream. */
    @Override
    public void shutdownOutput() {
        writer.shutdown();
        endOutput();
    }

    @Override
    public void endOutput() {
        guard.endWhenNobodyWrites(this::endStream);
    }

    private void endStream() {
        try {
            socket.shutdownOutput();
        } catch (PdException | IllegalStateException e) {
            // A peer or driver that is gone needs no end of the stream, nor does a socket that is being closed.
            return;
        }
    }

    @Override
    public void linger(int seconds) {
        rings.linger(seconds);
    }

    @Override
    public void sendSize(int bytes) {
        rings.sendSize(bytes);
    }

    @Override
    public void takeUrgent(boolean inline) {
        socket.takeUrgent(inline);
    }

    @Override
    public void beginClose(SocketAddress local, SocketAddress remote) {
        socket.endWaits();
    }

    @Override
    public void finishClose(SocketAddress local, SocketAddress remote) {
        guard.closeWhenIdle(() -> {
            rings.close();
            record.closed(local, remote);
        });
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
