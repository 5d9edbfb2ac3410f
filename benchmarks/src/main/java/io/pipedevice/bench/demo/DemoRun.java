// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.demo;

import io.pipedevice.bench.Project;
import io.pipedevice.bench.WorkerProcess;
import io.pipedevice.nio.stat.JvmStat;
import io.pipedevice.samples.nio.DigestClient;
import io.pipedevice.samples.nio.DigestServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The measurements of the two programs on one transport.
 *
 * @param small the stream of small messages
 * @param large the stream of large messages
 * @param roundTripNanos median round trip of small messages
 * @param accelerated number of the client's connections that used rings
 */
record DemoRun(Stream small, Stream large, long roundTripNanos, long accelerated) {
    /** The client's connections: one for each measurement and for its warm-up. */
    static final int CONNECTIONS = 6;

    /**
     * Messages one way.
     *
     * @param messageBytes of one message
     * @param bytes of all messages
     * @param nanos until the last message had arrived
     */
    record Stream(int messageBytes, long bytes, long nanos) {
        double messagesPerSecond() {
            return (double) bytes / messageBytes * 1e9 / nanos;
        }

        double gigabitsPerSecond() {
            return bytes * 8.0 / nanos;
        }

        static Stream of(String[] words) {
            return new Stream(Integer.parseInt(words[1]), Long.parseLong(words[2]), Long.parseLong(words[3]));
        }
    }

    /** Runs server and client once, with these flags for their JVMs; fails if a byte is lost. */
    static DemoRun run(List<String> flags, long millis) throws IOException, InterruptedException {
        try (WorkerProcess server = WorkerProcess.start("server", java(flags, DigestServer.class))) {
            String port = server.await("listening")[1];
            try (WorkerProcess client =
                    WorkerProcess.start("client", java(flags, DigestClient.class, port, String.valueOf(millis)))) {
                // Each measurement has a warm-up of the same length.
                Stream small = Stream.of(client.await("stream", 2 * millis));
                Stream large = Stream.of(client.await("stream", 2 * millis));
                long roundTrip = Long.parseLong(client.await("roundtrip", 2 * millis)[3]);
                return new DemoRun(small, large, roundTrip, accelerated(server.pid()));
            }
        }
    }

    /** The number of connections that a JVM has accepted on rings; 0 if it runs without PipeDevice. */
    private static long accelerated(int pid) throws IOException {
        return JvmStat.all().stream()
                .filter(stat -> stat.pid() == pid)
                .mapToLong(JvmStat::accepted)
                .sum();
    }

    private static List<String> java(List<String> flags, Class<?> program, String... args) {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(flags);
        command.addAll(List.of("-cp", Project.classPathOf(program).toString(), program.getName()));
        command.addAll(List.of(args));
        return command;
    }
}
