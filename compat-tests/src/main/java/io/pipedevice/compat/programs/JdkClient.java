// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The JDK's HTTP client against a server that answers {@code /echo}, {@code /digest} and {@code /noise}: takes {@code
 * uri}, {@code version} (HTTP_1_1 or HTTP_2), {@code size} of a large body, {@code keystore} for https, {@code
 * websocket} for the URI of an echo, {@code measure} only to measure, and {@code short} if
 * the server knows {@code /short}, after which it closes.
 */
final class JdkClient {
    /** The first request has no body, as an upgrade from HTTP/1.1 to HTTP/2 requires. */
    private static final int FIRST_SIZE = 1000;

    private static final int SMALL_REQUESTS = 100;
    private static final int DOWNLOAD_SEED = 2;
    private static final int THREADS = 32;
    private static final int REQUESTS_OF_EACH = 8;

    private final HttpClient client;
    private final String uri;
    private final HttpClient.Version version;
    private final long size;
    private final boolean shortOnes;
    private final Checks checks;

    private JdkClient(HttpClient client, Arguments arguments, Checks checks) {
        this.client = client;
        this.uri = arguments.text("uri");
        this.version = HttpClient.Version.valueOf(arguments.text("version"));
        this.size = arguments.size("size");
        this.shortOnes = arguments.has("short");
        this.checks = checks;
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        HttpClient.Builder builder =
                HttpClient.newBuilder().version(HttpClient.Version.valueOf(arguments.text("version")));
        if (arguments.has("keystore")) {
            builder.sslContext(Tls.client(arguments));
        }
        try (HttpClient http = builder.build()) {
            JdkClient client = new JdkClient(http, arguments, checks);
            checks.run("first request", () -> client.download(FIRST_SIZE, expected(FIRST_SIZE)));
            if (arguments.has("measure")) {
                checks.run("measure", client::measure);
            } else {
                client.runAll();
            }
            if (arguments.has("websocket")) {
                checks.run("WebSocket", () -> WebSocketEcho.run(http, arguments.text("websocket"), checks));
            }
        }
        checks.end();
    }

    private void runAll() throws InterruptedException {
        checks.run("one request after the other", () -> echoes(SMALL_REQUESTS, 1));
        checks.run("requests of many threads", this::many);
        checks.run("upload", this::upload);
        checks.run("download", () -> download(size, expected(size)));
        if (shortOnes) {
            checks.run("connections of one request each", this::shortOnes);
        }
    }

    private void shortOnes() throws IOException, InterruptedException {
        String expected = expected(FIRST_SIZE);
        for (int i = 0; i < SMALL_REQUESTS; i++) {
            noise(Noise.path(DOWNLOAD_SEED, FIRST_SIZE).replace("noise", "short"), FIRST_SIZE, expected);
        }
    }

    private void measure() throws Exception {
        Figures.warmUp(this::downloadOnly);
        Figures bulk = new Figures();
        bulk.printBytes(bulk.repeat(this::downloadOnly) * size);
        Figures.warmUp(() -> echoes(1, 1));
        Figures small = new Figures();
        small.repeatOften(() -> echoes(1, 1));
        small.printDelay();
    }

    private void many() throws Exception {
        List<Future<?>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < THREADS; i++) {
                int seed = i;
                all.add(threads.submit(() -> {
                    echoes(REQUESTS_OF_EACH, seed);
                    return null;
                }));
            }
        }
        for (Future<?> one : all) {
            one.get();
        }
    }

    private void echoes(int count, int seed) throws IOException, InterruptedException {
        for (int i = 0; i < count; i++) {
            byte[] body = Noise.bytes(seed, 1 + i * 97);
            HttpRequest request =
                    at("/echo").POST(BodyPublishers.ofByteArray(body)).build();
            HttpResponse<byte[]> response = answered(client.send(request, BodyHandlers.ofByteArray()));
            if (!Arrays.equals(body, response.body())) {
                throw new AssertionError("request " + i + " came back changed");
            }
            checks.sent(body.length);
            checks.received(body.length);
        }
    }

    private void upload() throws IOException, InterruptedException {
        HttpRequest.BodyPublisher body =
                BodyPublishers.fromPublisher(BodyPublishers.ofInputStream(() -> new Noise(size, size)), size);
        HttpResponse<String> response =
                answered(client.send(at("/digest").PUT(body).build(), BodyHandlers.ofString(UTF_8)));
        Checks.same(Noise.digest(size, size), response.body());
        checks.sent(size);
    }

    private static String expected(long length) throws IOException {
        return Noise.digest(DOWNLOAD_SEED, length);
    }

    private void download(long length, String expected) throws IOException, InterruptedException {
        noise(Noise.path(DOWNLOAD_SEED, length), length, expected);
    }

    private void noise(String path, long length, String expected) throws IOException, InterruptedException {
        try (InputStream body = body(path)) {
            Checks.same(expected, Noise.digest(body));
        }
        checks.received(length);
    }

    /** Downloads, and checks only the length. */
    private void downloadOnly() throws IOException, InterruptedException {
        try (InputStream body = body(Noise.path(Noise.REPEATED, size))) {
            Checks.same(size, body.transferTo(OutputStream.nullOutputStream()));
        }
    }

    private InputStream body(String path) throws IOException, InterruptedException {
        return answered(client.send(at(path).build(), BodyHandlers.ofInputStream()))
                .body();
    }

    private HttpRequest.Builder at(String path) {
        return HttpRequest.newBuilder(URI.create(uri + path));
    }

    private <T> HttpResponse<T> answered(HttpResponse<T> response) {
        Checks.same(200, response.statusCode());
        Checks.same(version, response.version());
        return response;
    }
}
