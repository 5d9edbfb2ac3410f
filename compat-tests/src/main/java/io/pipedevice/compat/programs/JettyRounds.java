// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.InputStream;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.InputStreamRequestContent;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpHeaderValue;
import org.eclipse.jetty.io.ByteBufferPool;

/**
 * Uploads to and downloads from a {@link JettyServer} at {@code uri}, mostly with keep-alive, for as long as the test
 * wants.
 */
final class JettyRounds {
    private static final int THREADS = 3;
    private static final long LENGTH = 300_000;
    private static final int CHUNK = 1 << 16;
    private static final long TIMEOUT_S = 60;

    /** One exchange in this many is the last of its connection. */
    private static final int KEPT_ALIVE = 25;

    private final HttpClient client;
    private final String uri;

    private JettyRounds(HttpClient client, String uri) {
        this.client = client;
        this.uri = uri;
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        HttpClient client = new HttpClient();
        try {
            client.start();
            JettyRounds rounds = new JettyRounds(client, arguments.text("uri"));
            Rounds.run(checks, THREADS, rounds::exchange);
        } finally {
            client.stop();
        }
        checks.end();
    }

    private void exchange(long number) throws Exception {
        if (number % 2 == 0) {
            Checks.same(
                    Noise.digest(number, LENGTH),
                    at("/digest", number)
                            .body(new InputStreamRequestContent(
                                    "application/octet-stream",
                                    new Noise(number, LENGTH),
                                    new ByteBufferPool.Sized(client.getByteBufferPool(), true, CHUNK)))
                            .send()
                            .getContentAsString());
            return;
        }
        InputStreamResponseListener listener = new InputStreamResponseListener();
        at(Noise.path(number, LENGTH), number).send(listener);
        Checks.same(200, listener.get(TIMEOUT_S, TimeUnit.SECONDS).getStatus());
        try (InputStream body = listener.getInputStream();
                Noise expected = new Noise(number, LENGTH)) {
            expected.check(body);
        }
    }

    private Request at(String path, long number) {
        Request request = client.POST(uri + path).timeout(TIMEOUT_S, TimeUnit.SECONDS);
        if (number % KEPT_ALIVE == 0) {
            request.headers(headers -> headers.put(HttpHeader.CONNECTION, HttpHeaderValue.CLOSE.asString()));
        }
        return request;
    }
}
