// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Properties on which tests rely when they are themselves ended. */
@Timeout(300)
final class ProgramTest {
    private static final long LIMIT_S = 30;

    /** A JVM with one program, which reads nothing. */
    static final class Starter {
        private Starter() {}

        public static void main(String[] args) throws IOException, InterruptedException {
            Program program = Program.start("sleep", List.of("sleep", "600"));
            System.out.println("STARTED " + program.pid());
            Thread.sleep(TimeUnit.SECONDS.toMillis(600));
        }
    }

    @Test
    void endsWithAJvmThatIsKilled() throws IOException, InterruptedException {
        assumeTrue(Program.isInstalled("setpriv"), "setpriv is not installed: Debian has it in the package util-linux");
        JavaCommand command = new JavaCommand(
                "starter", List.of("-cp", System.getProperty("java.class.path"), Starter.class.getName()));
        try (Program jvm = Program.start(command.name(), command.line(List.of("-Xmx64m")))) {
            ProcessHandle started =
                    ProcessHandle.of(Long.parseLong(jvm.await("STARTED"))).orElseThrow();
            try {
                assertTrue(started.isAlive());
                jvm.kill();
                await().atMost(LIMIT_S, TimeUnit.SECONDS).until(() -> !started.isAlive());
            } finally {
                started.destroyForcibly();
            }
        }
    }
}
