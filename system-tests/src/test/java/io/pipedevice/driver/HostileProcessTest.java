// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.share.CounterType;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.DriverLog;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A process writes garbage wherever it can. Two honest processes that stream to each other are not affected. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class HostileProcessTest {
    private static final int SECONDS = Integer.getInteger("pipedevice.test.hostile.seconds", 5);
    private static final long SEED = Long.getLong("pipedevice.test.seed", System.nanoTime());

    @Test
    void honestProcessesNoticeNothingOfAHostileOne() throws Exception {
        System.out.println("-Dpipedevice.test.seed=" + SEED + " -Dpipedevice.test.hostile.seconds=" + SECONDS);
        try (TestDriver driver = new TestDriver()) {
            // PD Lib opens some descriptors once and keeps them: open them now.
            PipeDevice.init(driver.driver).close();
        }
        int fdsBefore = TestFds.kernelObjects(0);
        try (DriverLog log = new DriverLog()) {
            try (TestDriver driver = new TestDriver();
                    ChildJvm server = StreamProcess.start(driver.directory, SEED, ~SEED, 0);
                    ChildJvm client = StreamProcess.start(
                            driver.directory, ~SEED, SEED, Integer.parseInt(server.expect("PORT")))) {
                client.expect("READY");
                client.send("connect");
                client.expect("CONNECTED");
                int attached = attack(driver);
                driver.awaitCounter(CounterType.PROCESSES, 2);
                assertStreamed(server, client);
                driver.awaitNothingLeft();
                assertDetached(driver, log, attached);
            }
        }
        // Not as many: a descriptor of an earlier test may have been about to be closed.
        TestDriver.await(
                "no more descriptors than " + fdsBefore,
                () -> TestFds.kernelObjects(0) <= fdsBefore,
                () -> "they are " + TestFds.kernelObjects(0));
    }

    /** Lets the hostile process attack the driver and an honest listener. Returns the number of its attachments. */
    private static int attack(TestDriver driver) throws Exception {
        try (OpenHouse house = new OpenHouse(driver.driver);
                ChildJvm hostile = ChildJvm.start(
                        HostileProcess.class,
                        driver.directory.toString(),
                        Integer.toString(house.port()),
                        Long.toString(SEED),
                        Long.toString(TimeUnit.SECONDS.toMillis(SECONDS)))) {
            assertTrue(hostile.exits(SECONDS + 90L), () -> "it hangs; it said " + hostile.said());
            return Integer.parseInt(hostile.expect("ATTACHED"));
        }
    }

    private static void assertStreamed(ChildJvm server, ChildJvm client) throws IOException {
        server.send("stop");
        client.send("stop");
        String[] ofServer = server.expect("SENT").split(" RECEIVED ", -1);
        String[] ofClient = client.expect("SENT").split(" RECEIVED ", -1);
        assertEquals(ofServer[0], ofClient[1]);
        assertEquals(ofClient[0], ofServer[1]);
        assertEquals(0, server.awaitEnd(), () -> "it said " + server.said());
        assertEquals(0, client.awaitEnd(), () -> "it said " + client.said());
    }

    private static void assertDetached(TestDriver driver, DriverLog log, int attached) throws IOException {
        long detached = driver.counter(CounterType.DETACHED);
        System.out.println("attached " + attached + " times, detached " + detached + " times");
        assertTrue(detached > 0, () -> "log: " + log.messages(Level.INFO));
        assertTrue(detached <= attached);
        assertTrue(log.has(Level.WARNING, "is detached: "), () -> "log: " + log.messages(Level.WARNING));
        assertTrue(log.messages(Level.ERROR).isEmpty(), () -> "log: " + log.messages(Level.ERROR));
    }
}
