// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/**
 * Downloads a file with a given {@code uri}, {@code filesize} and {@code sha256} from a web server, and its directory.
 */
final class FileClient {
    private FileClient() {}

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        URI file = URI.create(arguments.text("uri"));
        Checks checks = new Checks(arguments);
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            checks.run("directory", () -> {
                HttpResponse<String> response =
                        client.send(HttpRequest.newBuilder(file.resolve(".")).build(), BodyHandlers.ofString());
                Checks.same(200, response.statusCode());
                String name = file.getPath().substring(1);
                Checks.same(true, response.body().contains(name));
            });
            checks.run("file", () -> {
                HttpResponse<InputStream> response =
                        client.send(HttpRequest.newBuilder(file).build(), BodyHandlers.ofInputStream());
                Checks.same(200, response.statusCode());
                try (InputStream body = response.body()) {
                    Checks.same(arguments.text("sha256"), Noise.digest(body));
                }
                checks.received(arguments.size("filesize"));
            });
            checks.run("no such file", () -> {
                HttpResponse<Void> response =
                        client.send(HttpRequest.newBuilder(file.resolve("none")).build(), BodyHandlers.discarding());
                Checks.same(404, response.statusCode());
            });
        }
        checks.end();
    }
}
