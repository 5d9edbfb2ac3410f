// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.PipeDeviceDriver;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.util.concurrent.TimeUnit;

/** A driver in this process, and two attachments to it that stand for two processes. */
final class Attached implements AutoCloseable {
    static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

    final PipeDeviceDriver driver;
    final PipeDevice server;
    final PipeDevice client;

    Attached() throws IOException {
        this(new DriverContext(), new PdOptions());
    }

    Attached(DriverContext context, PdOptions options) throws IOException {
        driver = PipeDeviceDriver.launch(context);
        try {
            server = PipeDevice.init(driver, options);
            client = PipeDevice.init(driver, options);
        } catch (IOException | RuntimeException e) {
            driver.close();
            throw e;
        }
    }

    static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    }

    /** A listener at a port that the driver chose. */
    PdSocket listen(int backlog) throws PdException {
        PdSocket listener = server.socket();
        listener.bind(loopback(0));
        listener.listen(backlog);
        return listener;
    }

    /** A connected pair with default rings. */
    Pair pair() throws PdException {
        return pair(0);
    }

    /** A connected pair whose four rings have a size; 0 for the default. */
    Pair pair(int ringSize) throws PdException {
        try (PdSocket listener = server.socket()) {
            size(listener, ringSize);
            listener.bind(loopback(0));
            listener.listen(4);
            PdSocket from = client.socket();
            size(from, ringSize);
            from.connect(listener.localAddress());
            PdSocket to = listener.accept(PATIENCE_NS);
            if (to == null) {
                throw new AssertionError("no connection came");
            }
            return new Pair(from, to);
        }
    }

    private static void size(PdSocket socket, int ringSize) {
        if (ringSize > 0) {
            socket.setOption(StandardSocketOptions.SO_SNDBUF, ringSize)
                    .setOption(StandardSocketOptions.SO_RCVBUF, ringSize);
        }
    }

    @Override
    public void close() {
        client.close();
        server.close();
        driver.close();
    }

    /** Two ends of a connection. */
    static final class Pair implements AutoCloseable {
        final PdSocket client;
        final PdSocket server;

        Pair(PdSocket client, PdSocket server) {
            this.client = client;
            this.server = server;
        }

        @Override
        public void close() {
            client.close();
            server.close();
        }
    }
}
