// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;

/**
 * For any servlet container: answers {@code /echo} and, without a waiting thread, {@code /digest} and {@code /noise};
 * {@code /short} ends the connection.
 */
final class NoiseServlet extends HttpServlet {
    @Serial
    private static final long serialVersionUID = 1;

    private static final int CHUNK = 1 << 14;

    @Override
    protected void service(HttpServletRequest request, HttpServletResponse response) throws IOException {
        String path = request.getPathInfo();
        switch (path) {
            case "/echo" -> {
                byte[] body = request.getInputStream().readAllBytes();
                response.setContentLength(body.length);
                response.getOutputStream().write(body);
            }
            case "/digest" -> request.getInputStream().setReadListener(new Reader(begin(request)));
            default -> {
                if (path.startsWith("/short")) {
                    response.setHeader("Connection", "close");
                }
                Writer.start(begin(request), Noise.ofPath(path), Noise.lengthIn(path));
            }
        }
    }

    private static AsyncContext begin(HttpServletRequest request) {
        AsyncContext context = request.startAsync();
        context.setTimeout(0);
        return context;
    }

    /** Reads while there are data, and answers with the digest of all. Called by one thread at a time. */
    private static final class Reader implements ReadListener {
        private final AsyncContext context;
        private final MessageDigest digest = Noise.sha256();
        private final byte[] chunk = new byte[CHUNK];

        Reader(AsyncContext context) {
            this.context = context;
        }

        @Override
        public void onDataAvailable() throws IOException {
            ServletInputStream in = context.getRequest().getInputStream();
            while (in.isReady()) {
                int count = in.read(chunk);
                if (count < 0) {
                    return;
                }
                digest.update(chunk, 0, count);
            }
        }

        @Override
        public void onAllDataRead() throws IOException {
            byte[] answer = Noise.text(digest).getBytes(StandardCharsets.US_ASCII);
            Writer.start(context, new ByteArrayInputStream(answer), answer.length);
        }

        @Override
        public void onError(Throwable failure) {
            context.complete();
        }
    }

    /** Writes while there is room. Called by one thread at a time. */
    private static final class Writer implements WriteListener {
        private final AsyncContext context;
        private final InputStream body;
        private final byte[] chunk = new byte[CHUNK];

        private Writer(AsyncContext context, InputStream body) {
            this.context = context;
            this.body = body;
        }

        static void start(AsyncContext context, InputStream body, long length) throws IOException {
            context.getResponse().setContentLengthLong(length);
            context.getResponse().getOutputStream().setWriteListener(new Writer(context, body));
        }

        @Override
        public void onWritePossible() throws IOException {
            ServletOutputStream out = context.getResponse().getOutputStream();
            while (out.isReady()) {
                int count = body.read(chunk);
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
