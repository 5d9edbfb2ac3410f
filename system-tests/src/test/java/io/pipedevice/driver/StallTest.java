// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.driver.share.CounterType;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever work one container gives the driver at once, no duty cycle uses more than 5 ms of processor time for it.
 *
 * <p>A compiler's deoptimization, or time that the machine's host takes, can make a cycle long once. Work that is not
 * divided makes a cycle long each time. So a test gives the work several times, and fails if each time had a long cycle.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class StallTest {
    private static final int TIMES = 4;

    @TempDir
    private Path directory;

    private static void assertNoStall(List<String> wrapper, String what, int count) throws IOException {
        try (TestDriver driver = new TestDriver(new DriverContext().descriptorShare(13_000));
                RawPair pair = new RawPair(driver)) {
            // Load and compile everything that is needed once.
            warmUp(driver, pair);
            int times = 1;
            while (stalls(driver, pair, wrapper, what, count) > 0) {
                assertTrue(times < TIMES, "cycles of more than 5 ms each time");
                times++;
            }
            System.out.println(what + ", times: " + times + ", longest cycle "
                    + driver.counter(CounterType.MAX_CYCLE_CPU_NS) / 1000 + " us of processor time, "
                    + driver.counter(CounterType.MAX_CYCLE_NS) / 1000 + " us in all");
        }
    }

    /** Gives the driver the work, and returns the number of long cycles. */
    private static long stalls(TestDriver driver, RawPair pair, List<String> wrapper, String what, int count)
            throws IOException {
        long before = driver.counter(CounterType.LONG_CYCLES);
        try (ChildJvm hostile =
                ChildJvm.start(wrapper, List.of(), StallProcess.class, driver.directory.toString(), what, "" + count)) {
            hostile.expect("READY");
            if (what.equals("attach")) {
                // The process has attached once, so the classes for that are loaded.
                driver.awaitCounter(CounterType.CONTAINERS, 2);
                before = driver.counter(CounterType.LONG_CYCLES);
            }
            hostile.tell("go");
            if (what.equals("backlog")) {
                hostile.expect("CLOSED");
                TestDriver.await("the end of the connections", () -> driver.counter(CounterType.CONNECTIONS) <= 1);
                hostile.tell("go");
            }
            hostile.expect("DONE");
            driver.awaitCounter(CounterType.CONTAINERS, 2);
            pair.exchange();
            assertEquals(!wrapper.isEmpty(), driver.counter(CounterType.ADDRESSES_LEFT_OUT) > 0);
            return driver.counter(CounterType.LONG_CYCLES) - before;
        }
    }

    private static void warmUp(TestDriver driver, RawPair pair) throws IOException {
        for (int i = 0; i < 3; i++) {
            pair.exchange();
            try (RawPair other = new RawPair(driver)) {
                other.exchange();
            }
            driver.awaitCounter(CounterType.CONTAINERS, 2);
        }
    }

    @Test
    void thePeerOfManyArmedSocketsLeaves() throws IOException {
        assertNoStall(List.of(), "armed", 6000);
    }

    @Test
    void aListenerIsClosedWithAFullBacklog() throws IOException {
        assertNoStall(List.of(), "backlog", 4096);
    }

    @Test
    void manyBoundSocketsAreClosedByRequestsBeforeAMessage() throws IOException {
        assertNoStall(List.of(), "closes", 25_000);
    }

    @Test
    void manyRegionsAreGivenBackAtOnce() throws IOException {
        assertNoStall(List.of(), "regions", 100);
    }

    @Test
    void aProcessAttachesWithAsManySocketsAsThereAreIds() throws IOException {
        assertNoStall(List.of(), "attach", 3);
    }

    @Test
    void aProcessOfManyAddressesAttaches() throws IOException {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "only root may make a network namespace");
        Path batch = directory.resolve("addresses");
        StringBuilder addresses = new StringBuilder("link set lo up\n");
        for (int i = 0; i < 12_000; i++) {
            addresses
                    .append("address add 10.99.")
                    .append(i >> 8)
                    .append('.')
                    .append(i & 255)
                    .append("/32 dev lo\n");
        }
        Files.writeString(batch, addresses);
        assertNoStall(List.of("unshare", "-n", "sh", "-c", "ip -batch " + batch + "; exec \"$@\"", "sh"), "attach", 3);
    }
}
