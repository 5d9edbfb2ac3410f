// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * A client library with sockets of java.net against a web server: takes {@code api}, the library, {@code uri}, {@code
 * keystore} and {@code size} of a large body; with {@code measure} it only measures.
 */
final class BlockingHttpClient {
    private static final int SMALL_REQUESTS = 100;
    private static final int THREADS = 20;
    private static final int REQUESTS_OF_EACH = 20;
    private static final int DOWNLOAD_SEED = 2;

    private final HttpApi api;
    private final String uri;
    private final long size;
    private final Checks checks;

    private BlockingHttpClient(HttpApi api, Arguments arguments, Checks checks) {
        this.api = api;
        this.uri = arguments.text("uri");
        this.size = arguments.size("size");
        this.checks = checks;
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        try (HttpApi api = HttpApi.of(arguments)) {
            BlockingHttpClient client = new BlockingHttpClient(api, arguments, checks);
            if (arguments.has("measure")) {
                checks.run("measure", client::measure);
            } else {
                checks.run("one request after the other", () -> client.echoes(SMALL_REQUESTS, 1, false));
                checks.run("requests of many threads", client::many);
                checks.run("connections of one request each", () -> client.echoes(SMALL_REQUESTS, 2, true));
                checks.run("upload", client::upload);
                checks.run("download", client::download);
            }
        }
        checks.end();
    }

    private void echoes(int count, int seed, boolean last) throws IOException {
        for (int i = 0; i < count; i++) {
            int length = 1 + i * 97;
            byte[] expected = Noise.bytes(seed, length);
            api.exchange(uri + "/echo", () -> new Noise(seed, length), length, last, body -> {
                if (!Arrays.equals(expected, body.readAllBytes())) {
                    throw new AssertionError("a body of " + length + " bytes came back changed");
                }
            });
            checks.sent(length);
            checks.received(length);
        }
    }

    private void many() throws Exception {
        List<Future<?>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(THREADS)) {
            for (int i = 0; i < THREADS; i++) {
                int seed = i;
                all.add(threads.submit(() -> {
                    echoes(REQUESTS_OF_EACH, seed, false);
                    return null;
                }));
            }
        }
        for (Future<?> one : all) {
            one.get();
        }
    }

    private void upload() throws IOException {
        String expected = Noise.digest(size, size);
        api.exchange(
                uri + "/digest",
                () -> new Noise(size, size),
                size,
                false,
                body -> Checks.same(expected, new String(body.readAllBytes(), StandardCharsets.US_ASCII)));
        checks.sent(size);
    }

    private void download() throws IOException {
        String expected = Noise.digest(DOWNLOAD_SEED, size);
        get(DOWNLOAD_SEED, body -> Checks.same(expected, Noise.digest(body)));
        checks.received(size);
    }

    private void get(int seed, HttpApi.Answer answer) throws IOException {
        api.exchange(uri + Noise.path(seed, size), null, 0, false, answer);
    }

    private void measure() throws Exception {
        Checks.Check download =
                () -> get(Noise.REPEATED, body -> Checks.same(size, body.transferTo(OutputStream.nullOutputStream())));
        Figures.warmUp(download);
        Figures bulk = new Figures();
        bulk.printBytes(bulk.repeat(download) * size);
        Figures.warmUp(() -> echoes(1, 1, false));
        Figures small = new Figures();
        small.repeatOften(() -> echoes(1, 1, false));
        small.printDelay();
    }
}
