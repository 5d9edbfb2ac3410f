// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.metrics;

import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;

/**
 * Serves the metrics of a driver to Prometheus by HTTP, at {@code /metrics}; {@code /-/healthy} answers while the process
 * lives. Its opener closes it.
 */
public final class MetricsServer implements AutoCloseable {
    private final HTTPServer server;
    private final InetSocketAddress address;

    private MetricsServer(HTTPServer server, InetSocketAddress address) {
        this.server = server;
        this.address = address;
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
        PrometheusRegistry registry = new PrometheusRegistry();
        registry.register(new DriverCollector(directory));
        try {
            HTTPServer server = HTTPServer.builder()
                    .inetAddress(address.getAddress())
                    .port(address.getPort())
                    .registry(registry)
                    .buildAndStart();
            return new MetricsServer(server, new InetSocketAddress(address.getAddress(), server.getPort()));
        } catch (IOException e) {
            throw new IOException("cannot serve metrics at " + text(address) + ": " + e.getMessage(), e);
        }
    }

    private static String text(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
    }

    @Override
    public void close() {
        server.close();
    }

    /** The address of the metrics, as a URL. */
    @Override
    public String toString() {
        return "http://" + text(address) + "/metrics";
    }
}
