// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/** Answers requests with the JDK's HTTP server. */
final class HttpAnswers implements Server {
    static final int LENGTH = 256;

    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final HttpServer server = HttpServer.create(Loopback.any(), Loopback.BACKLOG);

    HttpAnswers() throws IOException {
        server.createContext("/", HttpAnswers::answer);
        server.setExecutor(threads);
        server.start();
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange) {
            exchange.getRequestBody().readAllBytes();
            exchange.sendResponseHeaders(200, LENGTH);
            exchange.getResponseBody().write(new byte[LENGTH]);
        }
    }

    @Override
    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdown();
    }
}
