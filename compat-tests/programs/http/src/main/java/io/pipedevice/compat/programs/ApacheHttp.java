// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.IOException;
import java.io.InputStream;
import java.util.function.Supplier;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.classic.methods.HttpPost;
import org.apache.hc.client5.http.classic.methods.HttpUriRequestBase;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.core5.http.ContentType;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.io.entity.InputStreamEntity;

/** The classic client of Apache HttpClient. */
final class ApacheHttp implements HttpApi {
    private static final int CONNECTIONS = 100;

    private final CloseableHttpClient client;

    ApacheHttp(Arguments arguments) throws Exception {
        client = HttpClients.custom()
                .setConnectionManager(PoolingHttpClientConnectionManagerBuilder.create()
                        .setTlsSocketStrategy(new DefaultClientTlsStrategy(Tls.client(arguments)))
                        .setMaxConnPerRoute(CONNECTIONS)
                        .setMaxConnTotal(CONNECTIONS)
                        .build())
                .build();
    }

    @Override
    public void exchange(String uri, Supplier<Noise> body, long length, boolean last, Answer answer)
            throws IOException {
        HttpUriRequestBase request = body == null ? new HttpGet(uri) : new HttpPost(uri);
        if (last) {
            request.setHeader(HttpHeaders.CONNECTION, "close");
        }
        if (body != null) {
            request.setEntity(new InputStreamEntity(body.get(), length, ContentType.APPLICATION_OCTET_STREAM));
        }
        client.execute(request, response -> {
            Checks.same(200, response.getCode());
            try (InputStream in = response.getEntity().getContent()) {
                answer.read(in);
            }
            return null;
        });
    }

    @Override
    public void close() throws IOException {
        client.close();
    }
}
