// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.net.URI;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;
import org.eclipse.jetty.websocket.api.StatusCode;
import org.eclipse.jetty.websocket.client.WebSocketClient;

/** Sends messages through a WebSocket of Jetty, each after the previous one is sent, and expects all back in order. */
public final class JettyWebSocket implements Session.Listener.AutoDemanding {
    private static final int MESSAGES = 200;

    private final BlockingQueue<byte[]> echoes = new LinkedBlockingQueue<>();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();

    private JettyWebSocket() {}

    static void run(HttpClient http, String uri, Checks checks) throws Exception {
        WebSocketClient client = new WebSocketClient(http);
        client.start();
        try {
            JettyWebSocket socket = new JettyWebSocket();
            Session session = client.connect(socket, URI.create(uri)).get();
            for (int i = 0; i < MESSAGES; i++) {
                byte[] message = message(i);
                Callback.Completable sent = new Callback.Completable();
                session.sendBinary(ByteBuffer.wrap(message), sent);
                sent.get();
                checks.sent(message.length);
            }
            for (int i = 0; i < MESSAGES; i++) {
                byte[] message = message(i);
                if (!Arrays.equals(message, socket.echoes.take())) {
                    throw new AssertionError("message " + i + " came back changed");
                }
                checks.received(message.length);
            }
            session.close(StatusCode.NORMAL, "", Callback.NOOP);
            Checks.same(StatusCode.NORMAL, socket.closed.get());
        } finally {
            client.stop();
        }
    }

    /** A message of up to 1 MB. */
    private static byte[] message(int i) throws Exception {
        try (Noise noise = new Noise(i, 25L * i * i)) {
            return noise.readAllBytes();
        }
    }

    @Override
    public void onWebSocketOpen(Session session) {
        session.setMaxBinaryMessageSize(JettyEcho.MAX_MESSAGE);
    }

    @Override
    public void onWebSocketBinary(ByteBuffer payload, Callback callback) {
        byte[] echo = new byte[payload.remaining()];
        payload.get(echo);
        echoes.add(echo);
        callback.succeed();
    }

    @Override
    public void onWebSocketClose(int statusCode, String reason, Callback callback) {
        closed.complete(statusCode);
        callback.succeed();
    }

    @Override
    public void onWebSocketError(Throwable cause) {
        closed.completeExceptionally(cause);
    }
}
