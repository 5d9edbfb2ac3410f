// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.device.fpga.FpgaDevice;
import io.pipedevice.device.guard.GuardedDevice;
import io.pipedevice.device.model.FpgaModel;
import io.pipedevice.device.model.ModelFaults;
import io.pipedevice.driver.share.CounterType;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Whatever errors a guarded device makes, connections continue: no byte is lost or repeated. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class GuardedDeviceTest {
    private static final int DEPTH = 16;
    private static final long GUARD_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final ModelFaults faults = new ModelFaults();
    private final long seed = System.nanoTime();
    private final Random random = new Random(seed);
    private TestDriver driver;
    private RawPair pair;
    private RawPair bystanders;

    @BeforeEach
    void start() throws IOException {
        System.out.println("guarded device: seed " + seed);
        begin(GUARD_TIMEOUT_NS);
    }

    private void begin(long timeoutNs) throws IOException {
        FpgaModel model = new FpgaModel(
                new FpgaModel.Context().lanes(2).queueDepth(DEPTH).seed(seed).faults(faults));
        FpgaDevice fpga = new FpgaDevice(model, new FpgaDevice.Context().threshold(1 + random.nextInt(DEPTH)));
        driver = new TestDriver(new DriverContext().device(new GuardedDevice(fpga, timeoutNs)));
        pair = new RawPair(driver);
        bystanders = new RawPair(driver);
    }

    @AfterEach
    void memoryReturns() throws IOException {
        try {
            assertEquals(0, driver.counter(CounterType.RESETS), "no connection failed");
            pair.close();
            bystanders.close();
            driver.awaitNothingLeft();
        } finally {
            driver.close();
        }
    }

    private void exchange(int rounds) throws IOException {
        for (int i = 0; i < rounds; i++) {
            pair.exchange();
            bystanders.exchange();
        }
    }

    /** The driver publishes counters when it next serves its control connections. */
    @Test
    void aDeviceThatWorksDoesItAll() throws IOException {
        // On a busy machine the threads of the model can be later than the guard waits in the other tests.
        memoryReturns();
        begin(TestDriver.PATIENCE_NS);
        exchange(20);
        assertEquals(0, driver.counter(CounterType.DEVICE_ERRORS));
        assertEquals(0, driver.counter(CounterType.EMULATED));
        driver.awaitAtLeast(CounterType.COMMANDS, 1);
    }

    @ParameterizedTest
    @EnumSource(
            names = {"NONE"},
            mode = EnumSource.Mode.EXCLUDE)
    void aFaultCostsNoByte(ModelFaults.Kind kind) throws IOException {
        exchange(2);
        faults.at(1 + random.nextInt(3), kind, kind == ModelFaults.Kind.MISDIRECT ? 60_000 : CommandType.STATUS_DEVICE);
        exchange(5);
        driver.awaitAtLeast(CounterType.DEVICE_ERRORS, 1);
        if (kind != ModelFaults.Kind.DUPLICATE) {
            driver.awaitAtLeast(CounterType.RETRIES, 1);
        }
        if (kind != ModelFaults.Kind.FAIL && kind != ModelFaults.Kind.MISADDRESS) {
            driver.awaitAtLeast(CounterType.DEVICE_RESETS, 1);
        }
    }

    @Test
    void aDeviceThatVanishesIsReplacedForNewConnectionsToo() throws IOException {
        exchange(2);
        faults.stop(ModelFaults.Kind.VANISH);
        exchange(3);
        try (RawPair later = new RawPair(driver)) {
            later.exchange();
        }
        driver.awaitAtLeast(CounterType.EMULATED, 1);
    }

    @Test
    void aDeviceThatIsResetTooOftenIsTakenOutOfService() throws IOException {
        for (int i = 0; i < 3; i++) {
            faults.at(1, ModelFaults.Kind.LOSE);
            exchange(1);
        }
        driver.awaitAtLeast(CounterType.DEVICE_RESETS, 3);
        long emulated = driver.counter(CounterType.EMULATED);
        faults.at(1, ModelFaults.Kind.VANISH);
        exchange(3);
        driver.awaitAtLeast(CounterType.EMULATED, emulated + 1);
        assertEquals(3, driver.counter(CounterType.DEVICE_RESETS), "it gets no more commands");
    }

    @Test
    void lostInterruptsOnlyCostTime() throws IOException {
        faults.loseInterrupts(1_000);
        exchange(10);
    }

    @Test
    void randomFaultsCostNoByte() throws IOException {
        ModelFaults.Kind[] kinds = ModelFaults.Kind.values();
        for (int i = 0; i < 40; i++) {
            // Exclude the last kinds, which would end the device, and so the test of the other kinds.
            faults.at(1 + random.nextInt(30), kinds[random.nextInt(kinds.length - 2)], 1 + random.nextInt(60_000));
            exchange(1);
        }
        driver.awaitAtLeast(CounterType.DEVICE_ERRORS, 1);
    }
}
