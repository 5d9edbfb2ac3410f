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
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Whatever work one process gives the driver at once, no duty cycle uses more than 5 ms of processor time for it.
 *
 * <p>A compiler's deoptimization, or time that the machine's host takes, can make a cycle long once. Work that is not
 * divided makes a cycle long each time. So a test gives the work several times, and fails if each time had a long
 * cycle. A driver is young at first, and its code is compiled meanwhile.
 */
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class StallTest {
    private static final int TIMES = 8;
    private static final String DESCRIPTOR_SHARE = "13000";

    /** Other children have the first compiler only. */
    private static final List<String> ALL_COMPILERS = List.of("-XX:TieredStopAtLevel=4");

    @TempDir
    private Path directory;

    @TempDir
    private Path files;

    /** In a process of its own, with the compilers that users have. */
    private ChildJvm driver;

    private DriverStat stat;
    private RawPair pair;

    @BeforeEach
    void startDriver() throws IOException {
        driver = ChildJvm.start(List.of(), ALL_COMPILERS, DriverProcess.class, directory.toString(), DESCRIPTOR_SHARE);
        driver.expect("RUNS");
        stat = DriverStat.open(directory);
        pair = pair();
    }

    @AfterEach
    void endDriver() {
        if (pair != null) {
            pair.close();
        }
        if (stat != null) {
            stat.close();
        }
        driver.close();
    }

    private RawPair pair() throws IOException {
        return new RawPair(
                RawClient.attach(TestDriver.endpoint(directory)), RawClient.attach(TestDriver.endpoint(directory)));
    }

    private long counter(CounterType type) throws IOException {
        return TestDriver.counter(stat, type);
    }

    private void assertNoStall(List<String> wrapper, String what, int count) throws IOException {
        // Load and compile everything that is needed once.
        warmUp();
        int times = 1;
        while (stalls(wrapper, what, count) > 0) {
            assertTrue(times < TIMES, "cycles of more than 5 ms each time");
            times++;
        }
        System.out.println(what + ", times: " + times + ", longest cycle "
                + counter(CounterType.MAX_CYCLE_CPU_NS) / 1000 + " us of processor time, "
                + counter(CounterType.MAX_CYCLE_NS) / 1000 + " us in all");
    }

    /** Gives the driver the work, and returns the number of long cycles. */
    private long stalls(List<String> wrapper, String what, int count) throws IOException {
        long before = counter(CounterType.LONG_CYCLES);
        try (ChildJvm hostile =
                ChildJvm.start(wrapper, List.of(), StallProcess.class, directory.toString(), what, "" + count)) {
            hostile.expect("READY");
            if (what.equals("attach")) {
                // The process has attached once, so the classes for that are loaded.
                TestDriver.awaitCounter(stat, CounterType.PROCESSES, 2);
                before = counter(CounterType.LONG_CYCLES);
            }
            hostile.send("go");
            if (what.equals("backlog")) {
                hostile.expect("CLOSED");
                TestDriver.await("the end of the connections", () -> counter(CounterType.CONNECTIONS) <= 1);
                hostile.send("go");
            }
            hostile.expect("DONE");
            TestDriver.awaitCounter(stat, CounterType.PROCESSES, 2);
            pair.exchange();
            assertEquals(!wrapper.isEmpty(), counter(CounterType.ADDRESSES_LEFT_OUT) > 0);
            return counter(CounterType.LONG_CYCLES) - before;
        }
    }

    private void warmUp() throws IOException {
        for (int i = 0; i < 3; i++) {
            pair.exchange();
            try (RawPair other = pair()) {
                other.exchange();
            }
            TestDriver.awaitCounter(stat, CounterType.PROCESSES, 2);
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
        Path batch = files.resolve("addresses");
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
