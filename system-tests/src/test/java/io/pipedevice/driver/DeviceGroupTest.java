// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.emulator.DmaEmulator;
import io.pipedevice.device.fpga.FpgaDevice;
import io.pipedevice.device.guard.DeviceGroup;
import io.pipedevice.device.guard.GuardedDevice;
import io.pipedevice.device.model.FpgaModel;
import io.pipedevice.device.model.ModelFaults;
import io.pipedevice.driver.share.CounterType;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several devices share the connections of a driver. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class DeviceGroupTest {
    private static final long GUARD_TIMEOUT_NS = TimeUnit.MILLISECONDS.toNanos(200);

    private final ModelFaults faults = new ModelFaults();

    private GuardedDevice model(int depth) throws IOException {
        FpgaModel model =
                new FpgaModel(new FpgaModel.Context().lanes(1).queueDepth(depth).faults(faults));
        return new GuardedDevice(new FpgaDevice(model, new FpgaDevice.Context()), GUARD_TIMEOUT_NS);
    }

    private static List<Long> shares(TestDriver driver, CounterType type) throws IOException {
        return driver.stat.values().stream()
                .filter(value -> value.type() == type.id())
                .map(DriverStat.Value::value)
                .toList();
    }

    private static List<RawPair> pairs(TestDriver driver, int count) throws IOException {
        List<RawPair> pairs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            pairs.add(new RawPair(driver));
        }
        return pairs;
    }

    private static void exchange(List<RawPair> pairs) throws IOException {
        for (RawPair pair : pairs) {
            pair.exchange();
        }
    }

    @Test
    void eachDeviceHasItsShare() throws IOException {
        DmaEmulator emulator = new DmaEmulator(new DmaEmulator.Context());
        TestDriver driver =
                new TestDriver(new DriverContext().device(new DeviceGroup(List.of(model(8), emulator, model(64)))));
        try {
            List<RawPair> pairs = pairs(driver, 6);
            exchange(pairs);
            TestDriver.await("a share of each device", () -> {
                List<Long> shares = shares(driver, CounterType.DEVICE_BYTES);
                return shares.size() == 3 && shares.stream().allMatch(bytes -> bytes > 0);
            });
            assertEquals(List.of(0L, 0L, 0L), shares(driver, CounterType.DEVICE_OUT_OF_SERVICE));
            pairs.forEach(RawPair::close);
            driver.awaitNothingLeft();
        } finally {
            driver.close();
        }
    }

    /** A device that is gone leaves no connection behind, and does not affect the other devices. */
    @Test
    void oneDeviceGoesWhileDataFlows() throws IOException {
        DmaEmulator emulator = new DmaEmulator(new DmaEmulator.Context());
        TestDriver driver = new TestDriver(new DriverContext().device(new DeviceGroup(List.of(emulator, model(16)))));
        try {
            List<RawPair> pairs = pairs(driver, 4);
            exchange(pairs);
            faults.stop(ModelFaults.Kind.VANISH);
            for (int i = 0; i < 5; i++) {
                exchange(pairs);
            }
            TestDriver.await(
                    "the device to be out of service",
                    () -> shares(driver, CounterType.DEVICE_OUT_OF_SERVICE).equals(List.of(0L, 1L)));
            List<RawPair> later = pairs(driver, 2);
            exchange(later);
            assertEquals(0, driver.counter(CounterType.RESETS), "no connection failed");
            driver.awaitAtLeast(CounterType.EMULATED, 1);
            pairs.forEach(RawPair::close);
            later.forEach(RawPair::close);
            driver.awaitNothingLeft();
        } finally {
            driver.close();
        }
    }

    @Test
    void devicesAreMadeOfTheirNames() throws IOException {
        TestDriver driver = new TestDriver(new DriverContext().devices("model, emulator"));
        try {
            exchange(pairs(driver, 4));
            TestDriver.await(
                    "two shares",
                    () -> shares(driver, CounterType.DEVICE_COMMANDS).stream()
                                    .filter(commands -> commands > 0)
                                    .count()
                            == 2);
        } finally {
            driver.close();
        }
        IllegalArgumentException refused = assertThrows(
                IllegalArgumentException.class,
                () -> PipeDeviceDriver.launch(new DriverContext().devices("emulator,toaster")));
        assertTrue(refused.getMessage().contains("toaster"), refused::getMessage);
    }
}
