// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executors;

/** The JDK's HTTP server with a virtual thread for each request. Takes {@code port=N}, 0 for any. */
final class JdkServer {
    private JdkServer() {}

    public static void main(String[] args) throws IOException {
        int port = new Arguments(args).number("port");
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/echo", exchange -> {
            try (InputStream body = exchange.getRequestBody()) {
                answer(exchange, body.readAllBytes());
            }
        });
        server.createContext("/digest", exchange -> {
            try (InputStream body = exchange.getRequestBody()) {
                answer(exchange, Noise.digest(body).getBytes(StandardCharsets.US_ASCII));
            }
        });
        server.createContext("/noise/", JdkServer::noise);
        server.start();
        Console.ready("http=" + server.getAddress().getPort());
        Console.awaitEnd();
        server.stop(0);
        System.exit(0);
    }

    private static void answer(HttpExchange exchange, byte[] body) throws IOException {
        exchange.sendResponseHeaders(200, body.length == 0 ? -1 : body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private static void noise(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        exchange.sendResponseHeaders(200, Noise.lengthIn(path));
        try (OutputStream out = exchange.getResponseBody();
                Noise noise = Noise.ofPath(path)) {
            noise.transferTo(out);
        }
    }
}
