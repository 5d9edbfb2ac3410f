// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.component.LifeCycle;

/**
 * Answers {@code /echo}, {@code /digest}, {@code /noise} and, by events, {@code /events}; {@code /last} is answered in
 * two halves, of which the second is sent when the server stops.
 */
final class JettyHandler extends Handler.Abstract implements LifeCycle.Listener {
    static final int EVENTS = 1000;

    private final CountDownLatch stopping = new CountDownLatch(1);

    @Override
    public void lifeCycleStopping(LifeCycle server) {
        stopping.countDown();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) throws Exception {
        String path = Request.getPathInContext(request);
        response.setStatus(200);
        try (InputStream in = Content.Source.asInputStream(request);
                OutputStream out = Content.Sink.asOutputStream(response)) {
            switch (path) {
                case "/echo" -> in.transferTo(out);
                case "/digest" -> out.write(Noise.digest(in).getBytes(StandardCharsets.US_ASCII));
                case "/last" -> last(out);
                case "/events" -> events(response, out);
                default -> {
                    response.getHeaders().put(HttpHeader.CONTENT_LENGTH, Noise.lengthIn(path));
                    try (Noise noise = Noise.ofPath(path)) {
                        noise.transferTo(out);
                    }
                }
            }
        }
        callback.succeeded();
        return true;
    }

    /** Sends server-sent events, each before the next one is made. */
    private static void events(Response response, OutputStream out) throws Exception {
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "text/event-stream");
        for (int i = 0; i < EVENTS; i++) {
            out.write(("id: " + i + "\ndata: " + event(i) + "\n\n").getBytes(StandardCharsets.US_ASCII));
            out.flush();
        }
    }

    /** The content of an event. */
    static String event(int i) throws IOException {
        return Noise.digest(i, i);
    }

    private void last(OutputStream out) throws Exception {
        out.write("begun\n".getBytes(StandardCharsets.US_ASCII));
        out.flush();
        stopping.await();
        out.write("ended\n".getBytes(StandardCharsets.US_ASCII));
    }
}
