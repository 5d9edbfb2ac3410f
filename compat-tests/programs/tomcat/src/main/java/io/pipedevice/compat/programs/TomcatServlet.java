// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.nio.charset.StandardCharsets;

/** Answers {@code /echo}, {@code /digest} and, without a thread that waits, {@code /noise}; {@code /short} ends the connection. */
final class TomcatServlet extends HttpServlet {
    @Serial
    private static final long serialVersionUID = 1;

    private static final int CHUNK = 1 << 14;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = request.getRequestURI();
        switch (path) {
            case "/echo" -> answer(response, request.getInputStream().readAllBytes());
            case "/digest" -> {
                try (InputStream body = request.getInputStream()) {
                    answer(response, Noise.digest(body).getBytes(StandardCharsets.US_ASCII));
                }
            }
            default -> {
                if (path.startsWith("/short")) {
                    response.setHeader("Connection", "close");
                }
                response.setContentLengthLong(Noise.lengthIn(path));
                AsyncContext context = request.startAsync();
                context.setTimeout(0);
                response.getOutputStream().setWriteListener(new Writer(context, Noise.ofPath(path)));
            }
        }
    }

    private static void answer(HttpServletResponse response, byte[] body) throws IOException {
        response.setContentLength(body.length);
        response.getOutputStream().write(body);
    }

    /** Writes while there is room. Called by one thread at a time. */
    private static final class Writer implements WriteListener {
        private final AsyncContext context;
        private final Noise noise;
        private final byte[] chunk = new byte[CHUNK];

        Writer(AsyncContext context, Noise noise) {
            this.context = context;
            this.noise = noise;
        }

        @Override
        public void onWritePossible() throws IOException {
            ServletOutputStream out = context.getResponse().getOutputStream();
            while (out.isReady()) {
                int count = noise.read(chunk, 0, chunk.length);
                if (count < 0) {
                    context.complete();
                    return;
                }
                out.write(chunk, 0, count);
            }
        }

        @Override
        public void onError(Throwable failure) {
            context.complete();
        }
    }
}
