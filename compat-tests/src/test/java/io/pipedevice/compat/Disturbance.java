// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** Disturbances of processes as on a real machine. Each is over when its method returns. */
final class Disturbance {
    /** So little that the kernel reclaims page cache and idle memory. */
    private static final int LEFT_MB = 300;

    private static final int SHORT_OF_MEMORY_MS = 2000;
    private static final long LIMIT_S = 600;

    /** Exit code of a process that the kernel kills for its memory. */
    private static final int KILLED = 128 + 9;

    private final Stage stage;

    Disturbance(Stage stage) {
        this.stage = stage;
    }

    /** Stops all threads of a process for a while. */
    static void stop(Program program, long millis) throws IOException, InterruptedException {
        signal("STOP", program);
        try {
            TimeUnit.MILLISECONDS.sleep(millis);
        } finally {
            signal("CONT", program);
        }
    }

    private static void signal(String name, Program program) throws IOException, InterruptedException {
        Command.run("kill", "-" + name, Long.toString(program.pid()));
    }

    /** Makes a full collection, in which all threads pause. */
    static void collect(Program program) throws IOException, InterruptedException {
        Command.jcmd(program.pid(), "GC.run");
    }

    /** Makes another process take almost all available memory for a while. */
    void takeMemory() throws IOException, InterruptedException {
        Program hog = stage.start(false, Hog.command(LEFT_MB, SHORT_OF_MEMORY_MS));
        await().atMost(LIMIT_S, TimeUnit.SECONDS).until(() -> !hog.isAlive());
        int code = hog.leave();
        assertTrue(code == 0 || code == KILLED, hog::log);
    }
}
