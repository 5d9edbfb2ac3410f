// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.spark.executor.CoarseGrainedExecutorBackend;

/** An executor with one core for the application at {@code driver}, a host and a port. Ends with its standard input. */
final class SparkExecutor {
    private SparkExecutor() {}

    public static void main(String[] args) {
        Arguments arguments = new Arguments(args);
        Thread.ofPlatform().daemon().name("end").start(SparkExecutor::awaitEnd);
        CoarseGrainedExecutorBackend.main(new String[] {
            "--driver-url",
            "spark://CoarseGrainedScheduler@" + arguments.text("driver"),
            "--executor-id",
            arguments.text("id"),
            "--bind-address",
            arguments.host(),
            "--hostname",
            arguments.host(),
            "--cores",
            "1",
            "--app-id",
            "sort",
            "--resourceProfileId",
            "0"
        });
    }

    private static void awaitEnd() {
        try {
            Console.awaitEnd();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } finally {
            // Without its hooks, of which one would wait for the application.
            Runtime.getRuntime().halt(0);
        }
    }
}
