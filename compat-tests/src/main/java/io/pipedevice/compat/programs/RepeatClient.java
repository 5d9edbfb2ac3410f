// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** Requests an echo from the server at {@code uri} for each input line, and prints the result. */
final class RepeatClient {
    private RepeatClient() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        URI uri = URI.create(new Arguments(args).text("uri"));
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try (HttpClient client =
                HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            Console.ready();
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                HttpRequest request = HttpRequest.newBuilder(uri)
                        .POST(BodyPublishers.ofString(line))
                        .build();
                try {
                    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
                    System.out.println("ANSWER " + response.body());
                } catch (ConnectException e) {
                    System.out.println("REFUSED " + line);
                }
            }
        }
    }
}
