// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.function.Supplier;
import javax.net.ssl.X509TrustManager;
import okhttp3.MediaType;
import okhttp3.OkHttpClient;
import okhttp3.Protocol;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import okio.BufferedSink;

/** OkHttp over HTTP/1.1. */
final class OkHttp implements HttpApi {
    private final OkHttpClient client;

    OkHttp(Arguments arguments) throws Exception {
        client = new OkHttpClient.Builder()
                .protocols(List.of(Protocol.HTTP_1_1))
                .sslSocketFactory(Tls.client(arguments).getSocketFactory(), (X509TrustManager)
                        Tls.trust(arguments).getTrustManagers()[0])
                .build();
    }

    @Override
    public void exchange(String uri, Supplier<Noise> body, long length, boolean last, Answer answer)
            throws IOException {
        Request.Builder request = new Request.Builder().url(uri);
        if (last) {
            request.header("Connection", "close");
        }
        if (body != null) {
            request.post(new Body(body, length));
        }
        try (Response response = client.newCall(request.build()).execute();
                InputStream in = response.body().byteStream()) {
            Checks.same(200, response.code());
            answer.read(in);
        }
    }

    private static final class Body extends RequestBody {
        private final Supplier<Noise> source;
        private final long length;

        Body(Supplier<Noise> source, long length) {
            this.source = source;
            this.length = length;
        }

        @Override
        public MediaType contentType() {
            return null;
        }

        @Override
        public long contentLength() {
            return length;
        }

        @Override
        public void writeTo(BufferedSink sink) throws IOException {
            try (Noise noise = source.get()) {
                noise.transferTo(sink.outputStream());
            }
        }
    }

    @Override
    public void close() {
        client.connectionPool().evictAll();
        client.dispatcher().executorService().shutdown();
    }
}
