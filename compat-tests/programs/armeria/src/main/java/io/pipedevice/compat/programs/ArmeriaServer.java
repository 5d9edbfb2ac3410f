// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import com.linecorp.armeria.common.HttpResponse;
import com.linecorp.armeria.common.HttpStatus;
import com.linecorp.armeria.common.MediaType;
import com.linecorp.armeria.server.Server;
import java.io.IOException;

/** A server of Armeria: {@code /echo} answers with what it gets. */
final class ArmeriaServer {
    private ArmeriaServer() {}

    public static void main(String[] args) throws IOException {
        Server server = Server.builder()
                .http(0)
                .maxRequestLength(0)
                .service(
                        "/echo",
                        (context, request) -> HttpResponse.of(request.aggregate()
                                .thenApply(
                                        all -> HttpResponse.of(HttpStatus.OK, MediaType.OCTET_STREAM, all.content()))))
                .build();
        server.start().join();
        Console.ready("port=" + server.activeLocalPort());
        Console.awaitEnd();
        server.stop().join();
        System.exit(0);
    }
}
