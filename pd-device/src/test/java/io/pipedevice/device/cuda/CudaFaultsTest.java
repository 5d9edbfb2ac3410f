// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.cuda;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.DeviceHealth;
import io.pipedevice.device.DeviceHealth.Event;
import io.pipedevice.device.guard.GuardedDevice;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.DisabledIfSystemProperty;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Whatever happens to a guarded GPU, every command is executed. */
@DisabledIfSystemProperty(named = "pipedevice.test.gpu", matches = "true", disabledReason = "a GPU plays no faults")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class CudaFaultsTest {
    private static final Logger LOG = Logger.getLogger("io.pipedevice.device");
    private static final int LENGTH = 3000;
    private static final int DEPTH = 16;

    private final TestCuda cuda = TestCuda.shared();
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private CudaFixture fixture;

    @BeforeEach
    void start() {
        System.out.println("faults of a GPU: seed " + seed);
        LOG.setLevel(Level.OFF);
    }

    @AfterEach
    void stop() throws IOException {
        LOG.setLevel(null);
        fixture.close();
        long misuses = cuda.count(TestCuda.Counter.MISUSES);
        cuda.reset();
        assertEquals(0, misuses);
        assertEquals(0, cuda.count(TestCuda.Counter.CONTEXTS));
        assertEquals(0, cuda.count(TestCuda.Counter.REGISTRATIONS));
        assertEquals(0, cuda.count(TestCuda.Counter.KERNELS));
    }

    private void open(CudaDevice.Engine engine) throws IOException {
        CudaDevice device = new CudaDevice(
                0, CudaFixture.parameters().engine(engine).lanes(2).queueDepth(DEPTH));
        fixture = new CudaFixture(new GuardedDevice(device, TimeUnit.MILLISECONDS.toNanos(200)), seed);
    }

    /** Copies on both lanes, and checks every byte. */
    private void copy(int rounds) {
        for (int round = 0; round < rounds; round++) {
            int at = random.nextInt(1000);
            fixture.destination.fill((byte) 0);
            for (int i = 0; i < DEPTH; i++) {
                assertTrue(fixture.submit(i % 2, at + i, (long) i * LENGTH, LENGTH, i));
            }
            for (int i = 0; i < DEPTH; i++) {
                fixture.awaitCopied(i % 2, i);
                fixture.assertCopied(at + i, (long) i * LENGTH, LENGTH);
            }
        }
    }

    private long count(Event event) {
        DeviceHealth health = fixture.device.health().getFirst();
        return health.get(event);
    }

    @ParameterizedTest
    @CsvSource({
        "KERNEL, HANG_LAUNCHES, 1",
        "KERNEL, STALL_AFTER, 5",
        "KERNEL, LOSE_AT_COMMAND, 7",
        "KERNEL, LOSE_AT_CALL, 1",
        "COPY_ENGINES, LOSE_AT_CALL, 3",
        "COPY_ENGINES, LOSE_AT_CALL, 6"
    })
    void aFaultCostsNoCommand(CudaDevice.Engine engine, TestCuda.Fault fault, long argument) throws IOException {
        open(engine);
        copy(2);
        awaitIdle();
        cuda.plan(fault, argument);
        copy(1);
        if (fault == TestCuda.Fault.STALL_AFTER) {
            cuda.plan(fault, -1);
        }
        copy(3);
        assertEquals(1, count(Event.RESET));
        assertEquals(0, count(Event.OUT_OF_SERVICE));
        long emulated = count(Event.EMULATED);
        copy(2);
        assertEquals(emulated, count(Event.EMULATED), "the GPU works again");
    }

    /** Lets kernels end, so that the next copy needs a launch. */
    private void awaitIdle() {
        while (cuda.count(TestCuda.Counter.KERNELS) > 0) {
            Thread.onSpinWait();
        }
    }

    @Test
    void lateCompletionsAreAwaited() throws IOException {
        open(CudaDevice.Engine.KERNEL);
        cuda.plan(TestCuda.Fault.LATE_MILLIS, 30);
        copy(2);
        assertEquals(0, count(Event.EMULATED));
    }

    @Test
    void aGpuThatKeepsFailingIsTakenOutOfService() throws IOException {
        open(CudaDevice.Engine.KERNEL);
        for (int i = 0; i < 3; i++) {
            cuda.plan(TestCuda.Fault.LOSE_AT_COMMAND, 1);
            copy(1);
        }
        assertEquals(1, count(Event.OUT_OF_SERVICE));
        assertEquals(0, cuda.count(TestCuda.Counter.CONTEXTS));
        copy(2);
    }

    @Test
    void aGpuThatGivesNoNewContextIsTakenOutOfService() throws IOException {
        open(CudaDevice.Engine.KERNEL);
        copy(1);
        cuda.plan(TestCuda.Fault.LOSE_AT_COMMAND, 3);
        cuda.plan(TestCuda.Fault.FAIL_CONTEXT, 999);
        copy(3);
        assertEquals(1, count(Event.OUT_OF_SERVICE));
    }
}
