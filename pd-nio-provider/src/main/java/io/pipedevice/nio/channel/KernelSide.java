// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.nio.placement.UnixConnection;
import io.pipedevice.nio.stat.ConnectionRecord;
import io.pipedevice.nio.transport.BlockingContext;
import io.pipedevice.nio.transport.KernelTransport;
import io.pipedevice.nio.transport.ParkingKernelTransport;
import io.pipedevice.nio.transport.ParkingUnixTransport;
import io.pipedevice.nio.transport.Transport;
import io.pipedevice.nio.transport.UnixTransport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;

/**
 * How a channel waits for the kernel: in the JDK's channel, which an interrupt closes, or else parked beside it.
 * Immutable.
 *
 * @param context the channel
 */
record KernelSide(BlockingContext context) {
    /** Whether threads park beside the kernel's channel. */
    boolean parks() {
        return !context.isInterruptible();
    }

    /** Prepares the kernel's channel of an accepted connection, or of one that is about to be made. */
    void prepare(SocketChannel kernel) throws IOException {
        if (parks()) {
            kernel.configureBlocking(false);
        }
    }

    /** The transport of a connection that stays on the kernel, whose channel is prepared. */
    Transport transport(SocketChannel kernel, ConnectionRecord record) {
        return parks() ? new ParkingKernelTransport(context, kernel, record) : new KernelTransport(kernel, record);
    }

    /** The transport of a connection by a Unix-domain socket, whose channel this prepares. */
    Transport transport(UnixConnection unix, ConnectionRecord record) throws IOException {
        if (parks()) {
            return new ParkingUnixTransport(context, unix, record);
        }
        unix.channel().configureBlocking(context.isBlocking());
        return new UnixTransport(context, unix, record);
    }

    /**
     * Connects, or begins to in non-blocking mode; whether it is connected.
     *
     * @param timeoutMillis 0 for no limit
     */
    boolean connect(SocketChannel kernel, InetSocketAddress to, int timeoutMillis) throws IOException {
        if (parks()) {
            ParkingKernelTransport.connect(context, kernel, to, timeoutMillis);
            return true;
        }
        if (timeoutMillis > 0) {
            kernel.socket().connect(to, timeoutMillis);
            return true;
        }
        return kernel.connect(to);
    }
}
