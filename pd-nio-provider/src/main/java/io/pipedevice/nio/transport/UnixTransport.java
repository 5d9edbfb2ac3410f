// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

import io.pipedevice.nio.placement.UnixConnection;
import io.pipedevice.nio.stat.ConnectionRecord;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import sun.nio.ch.Net;
import sun.nio.ch.SelChImpl;

/** A connection by a Unix-domain socket in the place of TCP: a channel of the JDK does the work. */
public final class UnixTransport extends KernelTransport {
    /**
     * The longest wait in one piece of a read with a timeout. The close of this transport ends such a wait, but an
     * interrupt of another thread closes the JDK's channel, which does not know of the wait.
     */
    private static final long LONGEST_WAIT_NS = TimeUnit.SECONDS.toNanos(1);

    private final BlockingContext context;
    private final UnixConnection connection;

    /** Whether a read with a timeout may wait; set by the reading thread. */
    private volatile boolean waits;

    /**
     * Creates the transport of a connection.
     *
     * @param context the channel
     * @param connection whose channel stays the caller's
     * @param record counts the connection; ended at its close
     */
    public UnixTransport(BlockingContext context, UnixConnection connection, ConnectionRecord record) {
        super(connection.channel(), record);
        this.context = context;
        this.connection = connection;
    }

    @Override
    public boolean finishConnect() throws IOException {
        context.leaveIfInterrupted();
        return true;
    }

    @Override
    public int read(ByteBuffer target, long timeoutNs) throws IOException {
        return timeoutNs == FOREVER ? kernel.read(target) : waitAndRead(target, timeoutNs);
    }

    /** Waits until a read does not block. Not in the JDK's channel, which has timeouts only for TCP. */
    private int waitAndRead(ByteBuffer target, long timeoutNs) throws IOException {
        int length = 0;
        CallTimeout timeout = new CallTimeout(timeoutNs, "Read");
        long left = timeoutNs;
        waits = true;
        context.enter();
        try {
            while (length == 0 && context.isOpen()) {
                ((SelChImpl) kernel).park(Net.POLLIN, Math.min(left, LONGEST_WAIT_NS));
                length = !kernel.isOpen() || UnixCalls.isReady(kernel) ? kernel.read(target) : 0;
                // Only after an attempt: bytes that are there are read, however late this thread runs.
                left = length == 0 ? timeout.left() : left;
            }
        } finally {
            waits = false;
            context.exit(length != 0);
        }
        return length;
    }

    @Override
    public void sendUrgent(int data) throws IOException {
        throw UnixCalls.noUrgentData();
    }

    @Override
    public int available() throws IOException {
        return UnixCalls.available(kernel);
    }

    @Override
    public void sendSize(int bytes) {
        UnixCalls.sendSize(kernel, bytes);
    }

    /** A Unix-domain socket never lingers: what was written is at the other end. */
    @Override
    public void endOutput() {
        try {
            kernel.shutdownOutput();
        } catch (IOException e) {
            // The selecting thread has closed the channel already, because its key was cancelled before.
            return;
        }
    }

    @Override
    public void beginClose(SocketAddress local, SocketAddress remote) {
        if (waits) {
            endWait();
        }
        super.beginClose(local, remote);
    }

    private void endWait() {
        try {
            kernel.shutdownInput();
        } catch (IOException e) {
            // An interrupt has closed the channel.
            return;
        }
    }

    @Override
    public InetSocketAddress localAddress() {
        return connection.local();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return connection.remote();
    }
}
