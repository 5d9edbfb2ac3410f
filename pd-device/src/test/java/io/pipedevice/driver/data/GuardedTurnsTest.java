// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.emulator.DmaEmulator;
import io.pipedevice.driver.data.SimulatedDriver.Attachment;
import io.pipedevice.test.DriverLog;
import java.io.IOException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A defect of the driver that only the work for one process hits, in any part of the duty cycle. */
final class GuardedTurnsTest {
    private static final int SIZE = 4096;
    private static final int RING = 64 << 10;
    private static final long CYCLE_NS = 20_000;
    private static final int CYCLES = 100;

    private final DriverLog log = new DriverLog();

    @AfterEach
    void close() {
        log.close();
    }

    private static void assertOnlyFault(Attachment expected, SimulatedDriver driver) {
        assertNotNull(driver.faulty().first(), "a fault");
        while (driver.faulty().first() != null) {
            assertSame(expected.process(), driver.faulty().first().process());
            driver.faulty().removeFirst();
        }
    }

    @Test
    void aCompletionThatCannotBeHandledIsTheFaultOfItsProcess() throws IOException {
        try (SimulatedDriver driver = new SimulatedDriver(new DmaEmulator.Context().lanes(1))) {
            Attachment sender = driver.attach();
            Attachment broken = driver.attach();
            Attachment receiver = driver.attach();
            driver.stream(sender, broken, SIZE, SIZE, RING);
            SimulatedStream other = driver.stream(sender, receiver, SIZE, SIZE, RING);
            driver.spoil(broken);
            for (int i = 0; i < CYCLES; i++) {
                driver.run(CYCLE_NS);
            }
            assertTrue(other.bytes() > RING, "the other stream goes on: " + other.bytes());
            assertOnlyFault(broken, driver);
        }
    }

    @Test
    void aWakeUpThatCannotBeHandledIsTheFaultOfItsProcess() throws IOException {
        try (SimulatedDriver driver = new SimulatedDriver(new DmaEmulator.Context().lanes(1))) {
            Attachment broken = driver.attach();
            Attachment receiver = driver.attach();
            SimulatedStream reset = driver.stream(broken, receiver, SIZE, SIZE, RING);
            driver.reset(reset);
            assertEquals(null, driver.faulty().first());
            driver.spoilArms(broken);
            driver.wake();
            assertOnlyFault(broken, driver);
        }
    }

    @Test
    void theOtherEndOfAConnectionIsResetIfOneCannotBe() throws IOException {
        try (SimulatedDriver driver = new SimulatedDriver(new DmaEmulator.Context().lanes(1))) {
            Attachment broken = driver.attach();
            Attachment receiver = driver.attach();
            SimulatedStream stream = driver.stream(broken, receiver, SIZE, SIZE, RING);
            driver.spoil(broken);
            driver.reset(stream);
            assertTrue(stream.connection().server.reset);
            assertOnlyFault(broken, driver);
        }
    }
}
