// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Supplier;

/** A client library, reduced to what the checks need. Any number of threads. */
interface HttpApi extends AutoCloseable {
    /** The library that an argument {@code api} names. */
    static HttpApi of(Arguments arguments) throws Exception {
        return switch (arguments.text("api")) {
            case "jdk" -> new UrlConnections(arguments);
            case "okhttp" -> new OkHttp(arguments);
            case "apache" -> new ApacheHttp(arguments);
            default -> throw new IllegalArgumentException(arguments.text("api"));
        };
    }

    /**
     * Sends one request, and reads its answer, which must be a success.
     *
     * @param body the source of a body to post, or null for a request without one
     * @param length of the body
     * @param last whether the connection is to be closed after this request
     */
    void exchange(String uri, Supplier<Noise> body, long length, boolean last, Answer answer) throws IOException;

    /** Reads the body of an answer to its end. */
    interface Answer {
        void read(InputStream body) throws IOException;
    }

    @Override
    void close() throws IOException;
}
