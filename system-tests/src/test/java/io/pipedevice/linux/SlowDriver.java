// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.PipeDeviceDriver;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.DriverLog;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * A driver as a process of its own, whose threads stop while they read the sequence numbers of sockets, as if they lost
 * their processor. It ends with its input. Arguments: its directory, the pause before each change of a socket in
 * microseconds, and before which change it stops until it gets a line, the first being 1; 0 for none. Prints RUNS, and
 * STOPS before that change.
 */
public final class SlowDriver {
    /** The changes of a socket whose numbers are read. */
    public static final int CHANGES = 5;

    private SlowDriver() {}

    /** Starts a driver, which runs when this returns. */
    public static ChildJvm start(Path directory, int pauseUs, int stopsAt) throws IOException {
        ChildJvm driver = ChildJvm.start(
                List.of(),
                List.of(),
                SlowDriver.class,
                directory.toString(),
                Integer.toString(pauseUs),
                Integer.toString(stopsAt));
        try {
            driver.expect("RUNS");
            return driver;
        } catch (IOException e) {
            driver.close();
            throw e;
        }
    }

    @SuppressWarnings("try")
    public static void main(String[] arguments) throws IOException {
        DriverLog.quiet();
        long pauseNs = Long.parseLong(arguments[1]) * 1000;
        int stopsAt = Integer.parseInt(arguments[2]);
        AtomicInteger changes = new AtomicInteger();
        Semaphore goesOn = new Semaphore(0);
        try (PipeDeviceDriver driver = PipeDeviceDriver.launch(new DriverContext().directory(Path.of(arguments[0])))) {
            TcpSequences.beforeChange = () -> {
                if (pauseNs > 0) {
                    LockSupport.parkNanos(pauseNs);
                }
                if (changes.incrementAndGet() == stopsAt) {
                    System.out.println("STOPS");
                    goesOn.acquireUninterruptibly();
                }
            };
            System.out.println("RUNS");
            while (System.in.read() == '\n') {
                goesOn.release();
            }
        }
    }
}
