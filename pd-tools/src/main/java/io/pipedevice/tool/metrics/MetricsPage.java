// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.metrics;

import io.prometheus.metrics.exporter.common.PrometheusHttpExchange;
import io.prometheus.metrics.exporter.common.PrometheusHttpRequest;
import io.prometheus.metrics.exporter.common.PrometheusHttpResponse;
import io.prometheus.metrics.exporter.common.PrometheusScrapeHandler;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/** Answers requests of HTTP. Thread safe. */
final class MetricsPage {
    private static final int OK = 200;
    private static final int BAD_REQUEST = 400;
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int FAILED = 500;

    private final PrometheusScrapeHandler handler;

    /** Held while metrics are collected: each collection takes one of the control connections that a driver admits. */
    private final ReentrantLock collecting = new ReentrantLock(true);

    MetricsPage(DriverCollector collector) {
        PrometheusRegistry registry = new PrometheusRegistry();
        registry.register(collector);
        handler = new PrometheusScrapeHandler(registry);
    }

    /** The whole answer, as bytes. */
    byte[] answer(MetricsRequest request) throws IOException {
        if (request == MetricsRequest.INVALID) {
            return new Answer(BAD_REQUEST, "the request is not valid").bytes(true);
        }
        boolean hasBody = !request.getMethod().equals("HEAD");
        if (hasBody && !request.getMethod().equals("GET")) {
            return new Answer(NOT_ALLOWED, "only GET and HEAD are served").bytes(true);
        }
        Answer answer = switch (request.getRequestPath()) {
            case "/metrics" -> metrics(request);
            case "/-/healthy" -> new Answer(OK, "Exporter is healthy.");
            case "/" -> new Answer(OK, "The metrics are at /metrics.");
            default -> new Answer(NOT_FOUND, "The metrics are at /metrics.");
        };
        return answer.bytes(hasBody);
    }

    private Answer metrics(MetricsRequest request) throws IOException {
        collecting.lock();
        try (Exchange exchange = new Exchange(request)) {
            handler.handleRequest(exchange);
            return exchange.answer;
        } finally {
            collecting.unlock();
        }
    }

    /** An answer that grows in memory, so that a slow client holds nothing but these bytes. */
    private static final class Answer implements PrometheusHttpResponse {
        private final Map<String, String> headers = new LinkedHashMap<>();
        private final ByteArrayOutputStream body = new ByteArrayOutputStream();
        private int status;

        Answer() {
            this.status = FAILED;
        }

        Answer(int status, String text) {
            this.status = status;
            headers.put("Content-Type", "text/plain; charset=utf-8");
            body.writeBytes((text + "\n").getBytes(StandardCharsets.UTF_8));
        }

        @Override
        public void setHeader(String name, String value) {
            headers.put(name, value);
        }

        @Override
        public OutputStream sendHeadersAndGetBody(int code, int length) {
            status = code;
            return body;
        }

        byte[] bytes(boolean hasBody) {
            headers.remove("Content-Length");
            StringBuilder head = new StringBuilder("HTTP/1.1 ").append(status).append(" \r\n");
            headers.forEach((name, value) ->
                    head.append(name).append(": ").append(value).append("\r\n"));
            head.append("Content-Length: ").append(body.size()).append("\r\nConnection: close\r\n\r\n");
            ByteArrayOutputStream whole = new ByteArrayOutputStream(head.length() + body.size());
            whole.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
            if (hasBody) {
                whole.writeBytes(body.toByteArray());
            }
            return whole.toByteArray();
        }
    }

    private static final class Exchange implements PrometheusHttpExchange {
        private final MetricsRequest request;
        private Answer answer = new Answer();

        Exchange(MetricsRequest request) {
            this.request = request;
        }

        @Override
        public PrometheusHttpRequest getRequest() {
            return request;
        }

        @Override
        public PrometheusHttpResponse getResponse() {
            return answer;
        }

        @Override
        public void handleException(IOException e) {
            answer = new Answer(FAILED, e.toString());
        }

        @Override
        public void handleException(RuntimeException e) {
            answer = new Answer(FAILED, e.toString());
        }

        @Override
        public void close() {
            // Nothing is held but memory.
        }
    }
}
