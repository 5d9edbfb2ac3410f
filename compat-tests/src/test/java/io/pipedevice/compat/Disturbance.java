// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/** What happens to processes on a real machine. All of it is over when a method returns. */
final class Disturbance {
    /** So little that the kernel takes back what it can of files and of what is idle. */
    private static final int LEFT_MB = 300;

    private static final int SHORT_OF_MEMORY_MS = 2000;
    private static final long LIMIT_S = 600;

    /** How one ends that the kernel takes its memory from. */
    private static final int KILLED = 128 + 9;

    private final Stage stage;

    Disturbance(Stage stage) {
        this.stage = stage;
    }

    /** Nothing of a process runs for a while. */
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

    /** A full collection, in which all threads pause. */
    static void collect(Program program) throws IOException, InterruptedException {
        Command.jcmd(program.pid(), "GC.run");
    }

    /** The memory that is available is taken by another process, but for a little, for a while. */
    void takeMemory() throws IOException, InterruptedException {
        Program hog = stage.start(false, Hog.command(LEFT_MB, SHORT_OF_MEMORY_MS));
        await().atMost(LIMIT_S, TimeUnit.SECONDS).until(() -> !hog.isAlive());
        int code = hog.leave();
        assertTrue(code == 0 || code == KILLED, hog::log);
    }
}
