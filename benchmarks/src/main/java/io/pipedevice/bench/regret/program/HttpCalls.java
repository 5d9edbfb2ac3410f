// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;

/** One request after the other with the JDK's HTTP client, on a connection that is kept. */
final class HttpCalls implements Client {
    private final int port;

    /** Made by the first turn, which so has all that is cold. */
    private HttpClient client;

    HttpCalls(int port) {
        this.port = port;
    }

    @Override
    public long run(long nanos) throws IOException, InterruptedException {
        long end = System.nanoTime() + nanos;
        if (client == null) {
            client =
                    HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
        }
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/"))
                .build();
        long calls = 0;
        do {
            HttpResponse<byte[]> response = client.send(request, HttpResponse.BodyHandlers.ofByteArray());
            if (response.statusCode() != 200 || response.body().length != HttpAnswers.LENGTH) {
                throw new IOException("call " + calls + ": " + response);
            }
            calls++;
        } while (System.nanoTime() - end < 0);
        return calls;
    }

    @Override
    public void close() {
        if (client != null) {
            client.shutdownNow();
        }
    }
}
