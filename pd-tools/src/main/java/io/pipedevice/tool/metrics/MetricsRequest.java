// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.metrics;

import io.prometheus.metrics.exporter.common.PrometheusHttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Enumeration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A request of HTTP/1, without a body. Immutable. */
final class MetricsRequest implements PrometheusHttpRequest {
    /** Stands for what is no request. */
    static final MetricsRequest INVALID = new MetricsRequest("", "", null, Map.of());

    private final String method;
    private final String path;
    private final String query;
    private final Map<String, List<String>> headers;

    private MetricsRequest(String method, String path, String query, Map<String, List<String>> headers) {
        this.method = method;
        this.path = path;
        this.query = query;
        this.headers = headers;
    }

    /** Whether bytes contain the empty line that ends a request. */
    static boolean isComplete(byte[] bytes, int length) {
        for (int i = 1; i < length; i++) {
            if (bytes[i] == '\n' && (bytes[i - 1] == '\n' || (i > 2 && bytes[i - 1] == '\r' && bytes[i - 2] == '\n'))) {
                return true;
            }
        }
        return false;
    }

    /** The request in bytes, which is {@link #INVALID} if they are none. */
    static MetricsRequest of(byte[] bytes) {
        List<String> lines =
                new String(bytes, StandardCharsets.ISO_8859_1).lines().toList();
        String[] first = lines.getFirst().split(" ", -1);
        if (first.length != 3 || !first[1].startsWith("/") || !first[2].startsWith("HTTP/1.")) {
            return INVALID;
        }
        Map<String, List<String>> headers = new TreeMap<>();
        for (String line : lines.subList(1, lines.size())) {
            int colon = line.indexOf(':');
            if (colon > 0) {
                String name = line.substring(0, colon).strip().toLowerCase(Locale.ROOT);
                headers.computeIfAbsent(name, key -> new ArrayList<>())
                        .add(line.substring(colon + 1).strip());
            }
        }
        int mark = first[1].indexOf('?');
        return mark < 0
                ? new MetricsRequest(first[0], first[1], null, headers)
                : new MetricsRequest(first[0], first[1].substring(0, mark), first[1].substring(mark + 1), headers);
    }

    @Override
    public String getMethod() {
        return method;
    }

    @Override
    public String getRequestPath() {
        return path;
    }

    @Override
    public String getQueryString() {
        return query;
    }

    @Override
    public Enumeration<String> getHeaders(String name) {
        return Collections.enumeration(headers.getOrDefault(name.toLowerCase(Locale.ROOT), List.of()));
    }
}
