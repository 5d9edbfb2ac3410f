// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import com.linecorp.armeria.client.WebClient;
import com.linecorp.armeria.common.AggregatedHttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * A client of Armeria, whose default is HTTP/2, and which also speaks HTTP/1.1: takes the server's {@code port} and the
 * {@code size} of a check's data; with {@code measure} it only measures.
 */
final class ArmeriaClient {
    private static final int LARGEST = 1 << 20;
    private static final int REQUESTS = 100;
    private static final int MEASURED_LENGTH = 1000;

    private final WebClient http2;
    private final WebClient http1;
    private final long size;
    private final Checks checks;

    private ArmeriaClient(Arguments arguments, Checks checks) {
        http2 = client("h2c", arguments);
        http1 = client("h1c", arguments);
        size = arguments.size("size");
        this.checks = checks;
    }

    private static WebClient client(String protocol, Arguments arguments) {
        return WebClient.builder(protocol + "://" + arguments.host() + ":" + arguments.text("port"))
                .maxResponseLength(0)
                .responseTimeoutMillis(0)
                .build();
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        ArmeriaClient client = new ArmeriaClient(arguments, checks);
        if (arguments.has("measure")) {
            checks.run("measure", client::measure);
        } else {
            checks.run("large bodies over HTTP/2", () -> client.bodies(client.http2));
            checks.run("large bodies over HTTP/1.1", () -> client.bodies(client.http1));
            checks.run("requests at once over HTTP/2", () -> client.requests(client.http2));
            checks.run("requests at once over HTTP/1.1", () -> client.requests(client.http1));
        }
        checks.end();
    }

    private void bodies(WebClient client) {
        for (long seed = 0; seed < size / LARGEST; seed++) {
            byte[] body = Noise.bytes(seed, (int) (LARGEST - seed));
            checks.cameBack(body, content(client.post("/echo", body).aggregate().join()));
        }
    }

    private static byte[] content(AggregatedHttpResponse response) {
        return response.content().array();
    }

    /** HTTP/1.1 opens a connection for each request that is under way. */
    private void requests(WebClient client) {
        List<CompletableFuture<AggregatedHttpResponse>> answers = new ArrayList<>();
        for (int seed = 0; seed < REQUESTS; seed++) {
            answers.add(client.post("/echo", Noise.bytes(seed, seed * seed)).aggregate());
        }
        for (int seed = 0; seed < answers.size(); seed++) {
            checks.cameBack(
                    Noise.bytes(seed, seed * seed), content(answers.get(seed).join()));
        }
    }

    private void measure() throws Exception {
        byte[] body = Noise.bytes(1, MEASURED_LENGTH);
        Checks.Check request = () -> checks.cameBack(
                body, content(http2.post("/echo", body).aggregate().join()));
        Figures.warmUp(request);
        Figures figures = new Figures();
        figures.printOperations(figures.repeatOften(request));
        figures.printDelay();
    }
}
