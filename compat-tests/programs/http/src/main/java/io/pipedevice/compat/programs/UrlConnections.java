// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.function.Supplier;
import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;

/** The JDK's HttpURLConnection. */
final class UrlConnections implements HttpApi {
    private final SSLContext tls;

    UrlConnections(Arguments arguments) throws Exception {
        tls = Tls.client(arguments);
    }

    @Override
    public void exchange(String uri, Supplier<Noise> body, long length, boolean last, Answer answer)
            throws IOException {
        HttpURLConnection connection =
                (HttpURLConnection) URI.create(uri).toURL().openConnection();
        if (connection instanceof HttpsURLConnection secure) {
            secure.setSSLSocketFactory(tls.getSocketFactory());
        }
        if (last) {
            connection.setRequestProperty("Connection", "close");
        }
        if (body != null) {
            connection.setDoOutput(true);
            connection.setFixedLengthStreamingMode(length);
            try (OutputStream out = connection.getOutputStream();
                    Noise noise = body.get()) {
                noise.transferTo(out);
            }
        }
        Checks.same(200, connection.getResponseCode());
        try (InputStream in = connection.getInputStream()) {
            answer.read(in);
        }
    }

    @Override
    public void close() {
        // Its connections are the JVM's.
    }
}
