// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.tool.metrics.MetricsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients of a driver's metrics that do not behave delay no other. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
final class MetricsClientsTest {
    /** More than a server of HTTP has threads, and more than are kept. */
    private static final int MANY = 200;

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final List<Socket> hostile = new ArrayList<>();
    private TestDriver driver;
    private MetricsServer server;
    private URI address;

    @BeforeEach
    void serve() throws IOException {
        driver = new TestDriver();
        server = MetricsServer.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), driver.directory);
        address = URI.create(server.toString());
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket each : hostile) {
            each.close();
        }
        server.close();
        driver.close();
    }

    private Socket connect() throws IOException {
        Socket socket = new Socket(address.getHost(), address.getPort());
        hostile.add(socket);
        return socket;
    }

    private void assertServed() throws Exception {
        try (HttpClient client = HttpClient.newHttpClient()) {
            HttpResponse<String> metrics = get(client, "/metrics");
            assertEquals(200, metrics.statusCode(), metrics::body);
            assertTrue(metrics.body().contains("pipedevice_attachments"), metrics::body);
            assertEquals(200, get(client, "/-/healthy").statusCode());
        }
    }

    private HttpResponse<String> get(HttpClient client, String path) throws Exception {
        HttpRequest request =
                HttpRequest.newBuilder(address.resolve(path)).timeout(PATIENCE).build();
        return client.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void requestsThatNeverEndDelayNoOther() throws Exception {
        for (int i = 0; i < MANY; i++) {
            connect().getOutputStream().write("GET /metrics HTTP/1.1\r\nHost: x".getBytes(StandardCharsets.US_ASCII));
        }
        assertServed();
    }

    @Test
    void connectionsThatSendNothingDelayNoOther() throws Exception {
        for (int i = 0; i < MANY; i++) {
            connect();
        }
        assertServed();
        assertServed();
    }

    @Test
    void clientsThatDoNotReadDelayNoOther() throws Exception {
        for (int i = 0; i < MANY; i++) {
            connect().getOutputStream().write("GET /metrics HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
        }
        assertServed();
    }

    @Test
    void aRequestThatIsSentByteByByteIsEnded() throws Exception {
        Socket slow = connect();
        slow.setSoTimeout((int) PATIENCE.toMillis());
        slow.getOutputStream().write("GET ".getBytes(StandardCharsets.US_ASCII));
        assertEquals(-1, slow.getInputStream().read());
        assertServed();
    }

    @Test
    void whatIsNoRequestIsRefused() throws Exception {
        for (String bytes : List.of("hello\r\n\r\n", "POST /metrics HTTP/1.1\r\n\r\n", "GET /none HTTP/1.1\r\n\r\n")) {
            Socket socket = connect();
            socket.getOutputStream().write(bytes.getBytes(StandardCharsets.US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertTrue(answer.startsWith("HTTP/1.1 4"), answer);
        }
        assertServed();
    }
}
