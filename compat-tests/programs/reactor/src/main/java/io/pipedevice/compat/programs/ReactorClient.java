// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.ByteBufFlux;
import reactor.netty.Connection;
import reactor.netty.http.client.HttpClient;
import reactor.netty.resources.ConnectionProvider;
import reactor.netty.tcp.TcpClient;

/**
 * A client of a Reactor Netty server at its ports {@code http} and {@code echo}. Each check moves about {@code size}
 * bytes; with {@code measure} it only measures.
 */
final class ReactorClient {
    private static final int CONNECTIONS = 20;
    private static final int REQUESTS = 200;
    private static final int STREAMS = 50;
    private static final int MEASURED_LENGTH = 100;

    private final HttpClient http;
    private final TcpClient echo;
    private final long size;
    private final Checks checks;

    private ReactorClient(Arguments arguments, Checks checks) {
        http = HttpClient.create(ConnectionProvider.create("compat", CONNECTIONS))
                .host("127.0.0.1")
                .port(arguments.number("http"));
        echo = TcpClient.newConnection().host("127.0.0.1").port(arguments.number("echo"));
        size = arguments.size("size");
        this.checks = checks;
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        ReactorClient client = new ReactorClient(arguments, checks);
        if (arguments.has("measure")) {
            checks.run("measure", client::measure);
        } else {
            checks.run("upload", client::upload);
            checks.run("download, slowly", client::download);
            checks.run("requests on all connections", client::requests);
            checks.run("downloads that are given up", client::giveUp);
            checks.run("echo, taken slowly", () -> client.echo(1, client.size));
            checks.run("many echoes", client::echoes);
        }
        checks.end();
    }

    private void upload() throws Exception {
        String digest = http.post()
                .uri("/digest")
                .send(buffers(ReactorBytes.noise(1, size)))
                .responseContent()
                .aggregate()
                .asString(StandardCharsets.US_ASCII)
                .block();
        Checks.same(Noise.digest(1, size), digest);
        checks.sent(size);
    }

    private static Flux<ByteBuf> buffers(Flux<byte[]> blocks) {
        return blocks.map(Unpooled::wrappedBuffer);
    }

    private void download() throws Exception {
        Checks.same(
                Noise.digest(2, size),
                ReactorBytes.digest(ReactorBytes.slowly(get(2, size).asByteArray()))
                        .block());
        checks.received(size);
    }

    private ByteBufFlux get(long seed, long length) {
        return http.get().uri(Noise.path(seed, length)).responseContent();
    }

    private void requests() throws Exception {
        long length = size / REQUESTS;
        List<String> digests = Flux.range(0, REQUESTS)
                .flatMapSequential(seed -> ReactorBytes.digest(get(seed, length).asByteArray()), 2 * CONNECTIONS)
                .collectList()
                .block();
        for (int i = 0; i < REQUESTS; i++) {
            Checks.same(Noise.digest(i, length), digests.get(i));
            checks.received(length);
        }
    }

    /** Cancels downloads in the middle, which ends their connections. */
    private void giveUp() throws Exception {
        for (int i = 0; i < CONNECTIONS; i++) {
            ReactorBytes.first(get(i, Long.MAX_VALUE).asByteArray(), size / CONNECTIONS)
                    .blockLast();
            checks.received(size / CONNECTIONS);
        }
        post(0, MEASURED_LENGTH);
    }

    private void echo(long seed, long length) throws Exception {
        Checks.same(Noise.digest(seed, length), echoed(seed, length).block());
        checks.sent(length);
        checks.received(length);
    }

    private Mono<String> echoed(long seed, long length) {
        return Mono.usingWhen(
                echo.connect(),
                connection -> ReactorBytes.digest(ReactorBytes.slowly(ReactorBytes.first(
                                connection.inbound().receive().asByteArray(), length)))
                        .zipWith(
                                connection
                                        .outbound()
                                        .sendByteArray(ReactorBytes.noise(seed, length))
                                        .then()
                                        .thenReturn(length),
                                (digest, sent) -> digest),
                ReactorClient::close);
    }

    private static Mono<Void> close(Connection connection) {
        connection.dispose();
        return connection.onDispose();
    }

    private void echoes() throws Exception {
        long length = size / STREAMS;
        List<String> digests = Flux.range(0, STREAMS)
                .flatMapSequential(seed -> echoed(seed, length), STREAMS)
                .collectList()
                .block();
        for (int i = 0; i < STREAMS; i++) {
            Checks.same(Noise.digest(i, length), digests.get(i));
            checks.sent(length);
            checks.received(length);
        }
    }

    private void post(long seed, int length) throws Exception {
        byte[] message = Noise.bytes(seed, length);
        byte[] answer = http.post()
                .uri("/echo")
                .send(Mono.just(Unpooled.wrappedBuffer(message)))
                .responseContent()
                .aggregate()
                .asByteArray()
                .block();
        if (!Arrays.equals(message, answer)) {
            throw new AssertionError("a message of " + length + " bytes came back changed");
        }
        checks.sent(length);
        checks.received(length);
    }

    /** Downloads, and then waits for the answer to each of some messages. */
    private void measure() throws Exception {
        Figures.warmUp(this::countDownload);
        Figures download = new Figures();
        download.printBytes(download.repeat(this::countDownload) * size);
        Figures.warmUp(() -> post(1, MEASURED_LENGTH));
        Figures alone = new Figures();
        alone.repeatOften(() -> post(1, MEASURED_LENGTH));
        alone.printDelay();
    }

    private void countDownload() {
        long length = get(Noise.REPEATED, size)
                .asByteArray()
                .map(block -> (long) block.length)
                .reduce(0L, Long::sum)
                .block();
        Checks.same(size, length);
        checks.received(length);
    }
}
