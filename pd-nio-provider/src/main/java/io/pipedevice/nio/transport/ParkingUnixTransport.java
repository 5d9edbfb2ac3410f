// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

import io.pipedevice.nio.placement.UnixConnection;
import io.pipedevice.nio.stat.ConnectionRecord;
import java.io.IOException;
import java.net.InetSocketAddress;

/** A connection of a socket of java.net by a Unix-domain socket in the place of TCP. */
public final class ParkingUnixTransport extends ParkingKernelTransport {
    private final BlockingContext context;
    private final UnixConnection connection;

    /**
     * Creates the transport of a connection.
     *
     * @param context the socket
     * @param connection whose channel stays the caller's, and does not block
     * @param record counts the connection; ended at its close
     */
    public ParkingUnixTransport(BlockingContext context, UnixConnection connection, ConnectionRecord record) {
        super(context, connection.channel(), record);
        this.context = context;
        this.connection = connection;
    }

    @Override
    public boolean finishConnect() throws IOException {
        context.leaveIfInterrupted();
        return true;
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

    @Override
    public InetSocketAddress localAddress() {
        return connection.local();
    }

    @Override
    public InetSocketAddress remoteAddress() {
        return connection.remote();
    }
}
