// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.metrics;

import io.pipedevice.linux.LimitedLog;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Serves the metrics of a driver to Prometheus by HTTP, at {@code /metrics}; {@code /-/healthy} answers while the
 * process lives. Its opener closes it.
 *
 * <p>Clients may be hostile: one that sends nothing, sends its request byte by byte, or does not read the answer delays
 * no other. Each connection has a thread of its own and a deadline, and a new connection takes the place of an old one
 * where there are too many; see {@link MetricsConnections}.
 */
public final class MetricsServer implements AutoCloseable {
    private static final int BACKLOG = 128;

    /** How often deadlines are looked at while there are connections. */
    private static final int LOOK_MS = 500;

    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final LimitedLog NOT_ACCEPTED =
            LimitedLog.warning(MetricsServer.class, "cannot accept a connection for metrics: {0}");

    private final ServerSocket listener;
    private final MetricsPage page;
    private final MetricsConnections connections = new MetricsConnections();
    private final Thread acceptor =
            Thread.ofPlatform().daemon().name("pd-metrics").unstarted(this::run);

    private MetricsServer(ServerSocket listener, MetricsPage page) {
        this.listener = listener;
        this.page = page;
    }

    /**
     * Starts to serve.
     *
     * @param address to listen at; port 0 for any free one
     * @param directory of the driver, which runs
     * @return the server
     * @throws IOException if the address cannot be used; the message names it
     */
    public static MetricsServer open(InetSocketAddress address, Path directory) throws IOException {
        ServerSocket listener = new ServerSocket();
        try {
            listener.bind(address, BACKLOG);
        } catch (IOException e) {
            listener.close();
            throw new IOException("cannot serve metrics at " + text(address) + ": " + e.getMessage(), e);
        }
        MetricsServer server = new MetricsServer(listener, new MetricsPage(new DriverCollector(directory)));
        server.acceptor.start();
        return server;
    }

    private void run() {
        while (!listener.isClosed()) {
            try {
                listener.setSoTimeout(connections.isEmpty() ? 0 : LOOK_MS);
                serve(listener.accept());
                connections.closeExpired(System.nanoTime());
            } catch (SocketTimeoutException e) {
                connections.closeExpired(System.nanoTime());
            } catch (IOException | RuntimeException | Error e) {
                if (!listener.isClosed()) {
                    // Descriptors or threads may be exhausted, perhaps by these connections.
                    NOT_ACCEPTED.log(e.toString());
                    connections.closeOldest();
                    LockSupport.parkNanos(RETRY_NS);
                }
            }
        }
    }

    private void serve(Socket socket) {
        MetricsConnection connection = new MetricsConnection(socket, page, connections, System.nanoTime());
        connections.add(connection);
        boolean started = false;
        try {
            Thread.ofVirtual().name("pd-metrics-connection").start(connection);
            started = true;
        } finally {
            if (!started) {
                connection.close();
            }
        }
    }

    private static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }

    @Override
    public void close() {
        try {
            listener.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            connections.closeAll();
        }
    }

    /** The address of the metrics, as a URL. */
    @Override
    public String toString() {
        return "http://" + text((InetSocketAddress) listener.getLocalSocketAddress()) + "/metrics";
    }
}
