// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.BufferedReader;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.BytesRequestContent;
import org.eclipse.jetty.client.ContentResponse;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.client.InputStreamRequestContent;
import org.eclipse.jetty.client.InputStreamResponseListener;
import org.eclipse.jetty.client.Request;
import org.eclipse.jetty.client.Response;
import org.eclipse.jetty.http.HttpMethod;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.http2.client.transport.HttpClientTransportOverHTTP2;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.util.ssl.SslContextFactory;

/**
 * Jetty's client against a {@link JettyServer}, over HTTP/1.1, or with {@code http2} over HTTP/2. Takes {@code uri},
 * {@code size} of a large body, {@code keystore} for https, {@code last=true} to load the server while it stops, and
 * {@code measure} only to measure.
 */
final class JettyClient {
    private static final int SMALL_REQUESTS = 100;
    private static final int DOWNLOAD_SEED = 2;
    private static final int CHUNK = 1 << 16;
    private static final long TIMEOUT_S = 600;

    private final HttpClient client;
    private final String uri;
    private final HttpVersion version;
    private final long size;
    private final Checks checks;

    private JettyClient(HttpClient client, Arguments arguments, Checks checks) {
        this.client = client;
        this.uri = arguments.text("uri");
        this.version = arguments.has("http2") ? HttpVersion.HTTP_2 : HttpVersion.HTTP_1_1;
        this.size = arguments.size("size");
        this.checks = checks;
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        HttpClient http = arguments.has("http2")
                ? new HttpClient(new HttpClientTransportOverHTTP2(new HTTP2Client()))
                : new HttpClient();
        try {
            if (arguments.has("keystore")) {
                SslContextFactory.Client tls = new SslContextFactory.Client();
                tls.setTrustStore(Tls.load(arguments));
                http.setSslContextFactory(tls);
            }
            http.start();
            JettyClient client = new JettyClient(http, arguments, checks);
            if (arguments.has("last")) {
                checks.run("requests that the server's stop waits for", client::last);
            } else if (arguments.has("measure")) {
                checks.run("measure", client::measure);
            } else {
                checks.run("one request after the other", client::echoes);
                checks.run("upload", client::upload);
                checks.run("download", client::download);
                checks.run("events", client::events);
                if (!arguments.has("http2")) {
                    // Over HTTP/2 Jetty 12.1.12 loses the first messages, one time in ten, with or without PipeDevice.
                    String socket = client.uri.replaceFirst("http", "ws") + "/websocket";
                    checks.run("WebSocket", () -> JettyWebSocket.run(http, socket, checks));
                }
            }
        } finally {
            http.stop();
        }
        checks.end();
    }

    private void echoes() throws Exception {
        for (int i = 0; i < SMALL_REQUESTS; i++) {
            byte[] body = Noise.bytes(i, 1 + i * 97);
            ContentResponse response = at("/echo")
                    .method(HttpMethod.POST)
                    .body(new BytesRequestContent(body))
                    .send();
            answered(response);
            if (!Arrays.equals(body, response.getContent())) {
                throw new AssertionError("request " + i + " came back changed");
            }
            checks.sent(body.length);
            checks.received(body.length);
        }
    }

    private void upload() throws Exception {
        ContentResponse response = at("/digest")
                .method(HttpMethod.PUT)
                .body(new InputStreamRequestContent(
                        "application/octet-stream",
                        new Noise(size, size),
                        new ByteBufferPool.Sized(client.getByteBufferPool(), true, CHUNK)))
                .send();
        answered(response);
        Checks.same(Noise.digest(size, size), response.getContentAsString());
        checks.sent(size);
    }

    private void download() throws Exception {
        try (InputStream body = body(Noise.path(DOWNLOAD_SEED, size))) {
            Checks.same(Noise.digest(DOWNLOAD_SEED, size), Noise.digest(body));
        }
        checks.received(size);
    }

    /** Downloads, and checks only the length. */
    private void downloadOnly() throws Exception {
        try (InputStream body = body(Noise.path(Noise.REPEATED, size))) {
            Checks.same(size, body.transferTo(OutputStream.nullOutputStream()));
        }
    }

    private void events() throws Exception {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(body("/events"), StandardCharsets.US_ASCII))) {
            for (int i = 0; i < JettyHandler.EVENTS; i++) {
                Checks.same("id: " + i, lines.readLine());
                Checks.same("data: " + JettyHandler.event(i), lines.readLine());
                Checks.same("", lines.readLine());
            }
            Checks.same(-1, lines.read());
        }
    }

    /** One request that has begun, and many that begin all the time. */
    private void last() throws Exception {
        JettyLoad load = new JettyLoad(client, uri);
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(body("/last"), StandardCharsets.US_ASCII))) {
            Checks.same("begun", lines.readLine());
            load.serverMayStop();
            System.out.println("BEGUN");
            Checks.same("ended", lines.readLine());
            Checks.same(-1, lines.read());
        }
        load.awaitEnd();
    }

    private void measure() throws Exception {
        Figures.warmUp(this::downloadOnly);
        Figures bulk = new Figures();
        bulk.printBytes(bulk.repeat(this::downloadOnly) * size);
        Figures.warmUp(this::emptyEcho);
        Figures small = new Figures();
        small.repeatOften(this::emptyEcho);
        small.printDelay();
    }

    private void emptyEcho() throws Exception {
        Checks.same(0, at("/echo").method(HttpMethod.POST).send().getContent().length);
    }

    private InputStream body(String path) throws Exception {
        InputStreamResponseListener listener = new InputStreamResponseListener();
        at(path).send(listener);
        answered(listener.get(TIMEOUT_S, TimeUnit.SECONDS));
        return listener.getInputStream();
    }

    private void answered(Response response) {
        Checks.same(200, response.getStatus());
        Checks.same(version, response.getVersion());
    }

    private Request at(String path) {
        return client.newRequest(uri + path).timeout(TIMEOUT_S, TimeUnit.SECONDS);
    }
}
