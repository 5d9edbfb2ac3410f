// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.IOException;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.netty.DisposableServer;
import reactor.netty.NettyOutbound;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.tcp.TcpServer;

/**
 * Reactor Netty, for HTTP/1.1 and HTTP/2: answers {@code /echo}, {@code /digest} and {@code /noise}; {@code /short}
 * ends the connection. At another port it sends back what it receives.
 */
final class ReactorServer {
    private ReactorServer() {}

    public static void main(String[] args) throws IOException {
        DisposableServer http = HttpServer.create()
                .host("127.0.0.1")
                .port(0)
                .protocol(HttpProtocol.HTTP11, HttpProtocol.H2C)
                .handle(ReactorServer::answer)
                .bindNow();
        DisposableServer echo = TcpServer.create()
                .host("127.0.0.1")
                .port(0)
                .handle((in, out) -> out.send(in.receive().retain()))
                .bindNow();
        Console.ready("http=" + http.port(), "echo=" + echo.port());
        Console.awaitEnd();
        http.disposeNow();
        echo.disposeNow();
        System.exit(0);
    }

    private static Publisher<Void> answer(HttpServerRequest request, HttpServerResponse response) {
        String path = "/" + request.path();
        return switch (path) {
            case "/echo" -> response.send(request.receive().retain());
            case "/digest" ->
                response.sendString(
                        ReactorBytes.digest(request.receive().asByteArray()).flux());
            default -> noise(path, response);
        };
    }

    private static NettyOutbound noise(String path, HttpServerResponse response) {
        if (path.startsWith("/short")) {
            response.keepAlive(false);
        }
        Flux<byte[]> noise = ReactorBytes.noiseOfPath(path);
        return response.header("Content-Length", Long.toString(Noise.lengthIn(path)))
                .sendByteArray(noise);
    }
}
