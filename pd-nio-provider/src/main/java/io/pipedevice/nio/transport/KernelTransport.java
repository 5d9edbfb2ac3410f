// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.Poll;
import io.pipedevice.nio.stat.ConnectionRecord;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;

/** A connection on kernel TCP: a channel of the JDK does the work. The owner of that channel closes it. */
public class KernelTransport implements Transport {
    /** Bytes of a file that are copied before the kernel transfers the rest. */
    private static final int FIRST = 16 << 10;

    /** The JDK's channel, which its owner closes. */
    final SocketChannel kernel;

    private final ConnectionRecord record;

    /**
     * Creates the transport of a connection, or of one that is about to be made.
     *
     * @param kernel the JDK's channel, which stays the caller's
     * @param record counts the connection; ended at its close
     */
    public KernelTransport(SocketChannel kernel, ConnectionRecord record) {
        this.kernel = kernel;
        this.record = record;
    }

    @Override
    public PdSource source() {
        return null;
    }

    @Override
    public boolean waitsInKernel() {
        return true;
    }

    @Override
    public boolean finishConnect() throws IOException {
        return kernel.finishConnect();
    }

    @Override
    public int read(ByteBuffer target) throws IOException {
        return kernel.read(target);
    }

    @Override
    public long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        return kernel.read(targets, offset, length);
    }

    @Override
    public int read(ByteBuffer target, long timeoutNs) throws IOException {
        if (timeoutNs == FOREVER) {
            return kernel.read(target);
        }
        // The JDK's channel has timeouts only in its socket adaptor, which reads only into arrays.
        Socket socket = kernel.socket();
        socket.setSoTimeout((int) Math.min(Integer.MAX_VALUE, TimeUnit.NANOSECONDS.toMillis(timeoutNs + 999_999)));
        int length = socket.getInputStream()
                .read(target.array(), target.arrayOffset() + target.position(), target.remaining());
        if (length > 0) {
            target.position(target.position() + length);
        }
        return length;
    }

    @Override
    public int write(ByteBuffer source) throws IOException {
        return kernel.write(source);
    }

    @Override
    public long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        return kernel.write(sources, offset, length);
    }

    @Override
    public long transfer(FileChannel file, long position, long count) throws IOException {
        return file.transferTo(position, count, kernel);
    }

    @Override
    public long transferForStream(FileChannel file, long position, long count) throws IOException {
        ByteBuffer first = ByteBuffer.allocate((int) Math.min(count, FIRST));
        int length = file.read(first, position);
        if (length <= 0) {
            return UNSUPPORTED;
        }
        int sent = writeFirst(first.flip());
        return sent < length || length < FIRST ? sent : sent + transferMore(file, position + sent, count - sent);
    }

    /**
     * Waits for room, and writes. As after each write of a virtual thread, no system call on the channel's socket
     * blocks from then on.
     */
    private int writeFirst(ByteBuffer bytes) throws IOException {
        try {
            return kernel.write(bytes);
        } catch (AsynchronousCloseException e) {
            throw e;
        } catch (ClosedChannelException e) {
            // So a transfer fails after the output was shut.
            throw new AsynchronousCloseException();
        }
    }

    /** Transfers what there is room for. */
    private long transferMore(FileChannel file, long position, long count) {
        try {
            return count == 0 ? 0 : file.transferTo(position, count, kernel);
        } catch (IOException e) {
            // Some bytes are written already. The next call finds the same failure, and reports it.
            return 0;
        }
    }

    @Override
    public void sendUrgent(int data) throws IOException {
        kernel.socket().sendUrgentData(data);
    }

    @Override
    public void refuseWrite(boolean tries) {
        // The output of the kernel's channel is shut, too, and its write fails.
    }

    @Override
    public IOException shutFailure() {
        return new ClosedChannelException();
    }

    @Override
    public int available() throws IOException {
        return kernel.socket().getInputStream().available();
    }

    @Override
    public void shutdownInput() throws IOException {
        kernel.shutdownInput();
    }

    @Override
    public void shutdownOutput() throws IOException {
        kernel.shutdownOutput();
    }

    @Override
    public void linger(int seconds) {
        // It is an option of the kernel's channel.
    }

    @Override
    public void sendSize(int bytes) {
        // It is an option of the kernel's channel.
    }

    @Override
    public void takeUrgent(boolean inline) {
        // It is an option of the kernel's channel.
    }

    /**
     * The selecting thread closes the channel later, and must not linger then, because it has other channels to serve.
     */
    @Override
    public void endOutput() {
        try {
            if (kernel.getOption(StandardSocketOptions.SO_LINGER) > 0) {
                kernel.setOption(StandardSocketOptions.SO_LINGER, -1);
            }
            kernel.shutdownOutput();
        } catch (IOException e) {
            // The selecting thread has closed the channel already, because its key was cancelled before.
            return;
        }
    }

    @Override
    public void beginClose(SocketAddress local, SocketAddress remote) {
        record.closed(local, remote);
    }

    @Override
    public void finishClose(SocketAddress local, SocketAddress remote) {
        // Its owner closes the kernel's channel.
    }

    @Override
    public boolean isOpen() {
        return kernel.isOpen();
    }

    @Override
    public InetSocketAddress localAddress() throws IOException {
        return (InetSocketAddress) kernel.getLocalAddress();
    }

    @Override
    public InetSocketAddress remoteAddress() throws IOException {
        return (InetSocketAddress) kernel.getRemoteAddress();
    }

    @Override
    public int readyOps(int kernelEvents, int ringEvents) {
        if ((kernelEvents & (Poll.ERR | Poll.HUP)) != 0) {
            return SelectionKey.OP_READ | SelectionKey.OP_WRITE;
        }
        return ((kernelEvents & Poll.IN) != 0 ? SelectionKey.OP_READ : 0)
                | ((kernelEvents & Poll.OUT) != 0 ? SelectionKey.OP_WRITE : 0);
    }
}
