// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;

/** Sends messages through a WebSocket of the JDK, and expects each back. */
final class WebSocketEcho implements WebSocket.Listener {
    private static final int MESSAGES = 50;

    private final LinkedBlockingQueue<byte[]> messages = new LinkedBlockingQueue<>();
    private final CompletableFuture<Integer> closed = new CompletableFuture<>();

    /** Used by one callback at a time. */
    private final ByteArrayOutputStream parts = new ByteArrayOutputStream();

    private WebSocketEcho() {}

    static void run(HttpClient client, String uri, Checks checks) throws Exception {
        WebSocketEcho echo = new WebSocketEcho();
        WebSocket socket =
                client.newWebSocketBuilder().buildAsync(URI.create(uri), echo).get();
        for (int i = 0; i < MESSAGES; i++) {
            byte[] message = message(i);
            socket.sendBinary(ByteBuffer.wrap(message), true).get();
            if (!Arrays.equals(message, echo.messages.take())) {
                throw new AssertionError("message " + i + " came back changed");
            }
            checks.sent(message.length);
            checks.received(message.length);
        }
        socket.sendClose(WebSocket.NORMAL_CLOSURE, "").get();
        Checks.same(WebSocket.NORMAL_CLOSURE, echo.closed.get());
    }

    private static byte[] message(int i) throws IOException {
        try (Noise noise = new Noise(i, 20L * i * i)) {
            return noise.readAllBytes();
        }
    }

    @Override
    public CompletionStage<?> onBinary(WebSocket socket, ByteBuffer data, boolean last) {
        byte[] part = new byte[data.remaining()];
        data.get(part);
        parts.writeBytes(part);
        if (last) {
            messages.add(parts.toByteArray());
            parts.reset();
        }
        socket.request(1);
        return null;
    }

    @Override
    public CompletionStage<?> onClose(WebSocket socket, int statusCode, String reason) {
        closed.complete(statusCode);
        return null;
    }

    @Override
    public void onError(WebSocket socket, Throwable error) {
        closed.completeExceptionally(error);
    }
}
