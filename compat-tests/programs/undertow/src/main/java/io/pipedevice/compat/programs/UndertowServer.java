// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import io.undertow.Handlers;
import io.undertow.Undertow;
import io.undertow.UndertowOptions;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.BlockingHandler;
import io.undertow.servlet.Servlets;
import io.undertow.servlet.api.DeploymentInfo;
import io.undertow.servlet.api.DeploymentManager;
import io.undertow.servlet.util.ImmediateInstanceFactory;
import io.undertow.util.Headers;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * Undertow, for HTTP/1.1 and HTTP/2: answers {@code /echo}, {@code /digest} and {@code /noise}; {@code /short} ends the
 * connection. Below {@code /servlet} a servlet does the same.
 */
final class UndertowServer {
    private static final int THREADS = 16;

    private UndertowServer() {}

    public static void main(String[] args) throws IOException, ServletException {
        Undertow server = Undertow.builder()
                .addHttpListener(0, "127.0.0.1")
                .setIoThreads(2)
                .setWorkerThreads(THREADS)
                .setServerOption(UndertowOptions.ENABLE_HTTP2, true)
                // The default is 2 MB.
                .setServerOption(UndertowOptions.MAX_ENTITY_SIZE, -1L)
                .setHandler(Handlers.path(new BlockingHandler(UndertowServer::answer))
                        .addPrefixPath("/servlet", servlet()))
                .build();
        server.start();
        InetSocketAddress address =
                (InetSocketAddress) server.getListenerInfo().getFirst().getAddress();
        Console.ready("http=" + address.getPort());
        Console.awaitEnd();
        server.stop();
        System.exit(0);
    }

    private static HttpHandler servlet() throws ServletException {
        DeploymentInfo deployment = Servlets.deployment()
                .setClassLoader(UndertowServer.class.getClassLoader())
                .setDeploymentName("compat")
                .setContextPath("/servlet")
                .addServlet(
                        Servlets.servlet("all", NoiseServlet.class, new ImmediateInstanceFactory<>(new NoiseServlet()))
                                .setAsyncSupported(true)
                                .addMapping("/*"));
        DeploymentManager manager = Servlets.defaultContainer().addDeployment(deployment);
        manager.deploy();
        return manager.start();
    }

    private static void answer(HttpServerExchange exchange) throws IOException {
        String path = exchange.getRequestPath();
        switch (path) {
            case "/echo" -> whole(exchange, exchange.getInputStream().readAllBytes());
            case "/digest" ->
                whole(exchange, Noise.digest(exchange.getInputStream()).getBytes(StandardCharsets.US_ASCII));
            default -> {
                if (path.startsWith("/short")) {
                    exchange.setPersistent(false);
                }
                exchange.setResponseContentLength(Noise.lengthIn(path));
                try (Noise noise = Noise.ofPath(path);
                        OutputStream out = exchange.getOutputStream()) {
                    noise.transferTo(out);
                }
            }
        }
    }

    private static void whole(HttpServerExchange exchange, byte[] body) throws IOException {
        exchange.getResponseHeaders().put(Headers.CONTENT_LENGTH, body.length);
        try (OutputStream out = exchange.getOutputStream()) {
            out.write(body);
        }
    }
}
