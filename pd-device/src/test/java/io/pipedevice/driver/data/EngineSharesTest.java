// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.emulator.DmaEmulator;
import io.pipedevice.device.emulator.FaultPlan;
import io.pipedevice.device.guard.DeviceGroup;
import io.pipedevice.driver.data.SimulatedDriver.Attachment;
import io.pipedevice.driver.policy.Limits;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** How the time of the engine, as the driver counts it, is divided among processes and sockets that have data. */
final class EngineSharesTest {
    private static final int RING = 1 << 20;
    private static final int SMALL_RING = 256 << 10;
    private static final int LARGE = 64 << 10;
    private static final int WARM_UP = 1000;
    private static final int CYCLES = 4000;
    private static final long CYCLE_NS = 20_000;

    private static void cycles(SimulatedDriver driver, int count) {
        for (int i = 0; i < count; i++) {
            driver.cycle(CYCLE_NS);
        }
    }

    /** The first process's part of the time that both used. */
    private static double part(SimulatedDriver driver, Attachment one, Attachment other) {
        cycles(driver, WARM_UP);
        long oneBefore = one.process().share.usedNs();
        long otherBefore = other.process().share.usedNs();
        cycles(driver, CYCLES);
        double used = one.process().share.usedNs() - oneBefore;
        return used / (used + other.process().share.usedNs() - otherBefore);
    }

    @ParameterizedTest
    @CsvSource({"1, 64, 64", "1, 64, 128", "1, 1024, 1024", "1, 4096, 8192", "4, 64, 64", "4, 64, 128", "4, 4096, 8192"
    })
    void aProcessWithSmallMessagesHasAsMuchTimeAsOneWithLargeMessages(int lanes, int size, int distance)
            throws IOException {
        try (SimulatedDriver driver = new SimulatedDriver(new DmaEmulator.Context().lanes(lanes))) {
            Attachment receiver = driver.attach();
            Attachment small = driver.attach();
            Attachment large = driver.attach();
            driver.stream(small, receiver, size, distance, RING);
            driver.stream(large, receiver, LARGE, LARGE, RING);
            assertEquals(0.5, part(driver, small, large), 0.05);
        }
    }

    @Test
    void aContainerHasTheShareThatThePolicyGivesIt() throws IOException {
        try (SimulatedDriver driver = new SimulatedDriver(new DmaEmulator.Context().lanes(2))) {
            Attachment receiver = driver.attach();
            Attachment favoured = driver.attach(new Limits(0, 0, 0, 3));
            Attachment other = driver.attach();
            for (int i = 0; i < 4; i++) {
                driver.stream(favoured, receiver, 64, 128, RING);
                driver.stream(other, receiver, LARGE, LARGE, RING);
            }
            assertEquals(0.75, part(driver, favoured, other), 0.04);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "16, 16, 1, 64", "16, 16, 4, 65536", "16, 4, 1, 64", "16, 1, 4, 64", "16, 1, 4, 65536",
        "512, 512, 1, 65536", "512, 512, 4, 64", "512, 4, 1, 64", "512, 1, 4, 64", "512, 1, 1, 65536"
    })
    void equalConnectionsSendTheSame(int pairs, int processes, int lanes, int size) throws IOException {
        try (SimulatedDriver driver = new SimulatedDriver(new DmaEmulator.Context().lanes(lanes))) {
            Attachment receiver = driver.attach();
            List<Attachment> senders = new ArrayList<>();
            for (int i = 0; i < processes; i++) {
                senders.add(driver.attach());
            }
            List<SimulatedStream> streams = new ArrayList<>();
            for (int i = 0; i < pairs; i++) {
                // Small messages do not lie back to back, so that each is a command.
                streams.add(driver.stream(senders.get(i % processes), receiver, size, 2 * size, SMALL_RING));
            }
            cycles(driver, WARM_UP);
            long[] before = streams.stream().mapToLong(SimulatedStream::bytes).toArray();
            cycles(driver, CYCLES);
            double sum = 0;
            double squares = 0;
            for (int i = 0; i < pairs; i++) {
                double bytes = streams.get(i).bytes() - before[i];
                sum += bytes;
                squares += bytes * bytes;
            }
            double jain = sum * sum / (pairs * squares);
            assertTrue(jain >= 0.97, "Jain's index is " + jain);
        }
    }

    @ParameterizedTest
    @CsvSource({"1, 65536", "10, 65536", "40, 65536", "1, 1024"})
    void aContainerSendsAtTheRateThatThePolicyGivesIt(int gigabits, int size) throws IOException {
        try (SimulatedDriver driver = new SimulatedDriver(new DmaEmulator.Context())) {
            long rate = gigabits * 125_000_000L;
            Attachment limited = driver.attach(new Limits(0, 0, rate, 1));
            SimulatedStream stream = driver.stream(limited, driver.attach(), size, size, RING);
            cycles(driver, 2 * CYCLES);
            long before = stream.bytes();
            cycles(driver, 2 * CYCLES);
            double expected = rate * (2 * CYCLES * CYCLE_NS / 1e9);
            assertEquals(1, (stream.bytes() - before) / expected, 0.05);
        }
    }

    @Test
    void nobodyWaitsForAProcessThatHasLittleToSend() throws IOException {
        try (SimulatedDriver driver = new SimulatedDriver(new DmaEmulator.Context())) {
            Attachment receiver = driver.attach();
            SimulatedStream stream = driver.stream(driver.attach(), receiver, LARGE, LARGE, RING);
            cycles(driver, WARM_UP);
            long before = stream.bytes();
            cycles(driver, CYCLES);
            long alone = stream.bytes() - before;
            Attachment modest = driver.attach();
            // One message is outstanding at a time.
            SimulatedStream few = driver.stream(modest, receiver, 64, SMALL_RING, SMALL_RING);
            before = stream.bytes();
            cycles(driver, CYCLES);
            assertTrue(few.bytes() >= CYCLES / 8 * 64L, few.bytes() + " bytes of the modest process");
            long beside = stream.bytes() - before;
            assertTrue(beside >= 0.95 * alone, "alone " + alone + ", beside the modest process " + beside);
        }
    }

    @Test
    void aDeviceThatStandsStillDelaysNoProcessWhoseConnectionsUseAnother() throws IOException {
        FaultPlan plan = new FaultPlan();
        DmaEmulator stalled = plan.emulator(new DmaEmulator.Context());
        DmaEmulator working = new DmaEmulator(new DmaEmulator.Context());
        try (SimulatedDriver driver = new SimulatedDriver(new DeviceGroup(List.of(working, stalled)))) {
            Attachment receiver = driver.attach();
            // Connections are numbered from 1, and go to the lanes in turn.
            SimulatedStream onStalled = driver.stream(driver.attach(), receiver, LARGE, LARGE, RING);
            SimulatedStream onWorking = driver.stream(driver.attach(), receiver, LARGE, LARGE, RING);
            cycles(driver, WARM_UP);
            plan.stall();
            cycles(driver, WARM_UP);
            long standing = onStalled.bytes();
            long before = onWorking.bytes();
            cycles(driver, WARM_UP);
            assertEquals(standing, onStalled.bytes());
            assertTrue(onWorking.bytes() - before >= 3L * WARM_UP * LARGE, onWorking.bytes() - before + " bytes");
            plan.release();
            cycles(driver, WARM_UP);
            assertTrue(onStalled.bytes() > standing);
        }
    }
}
