// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

import io.pipedevice.driver.DriverStat;
import io.pipedevice.driver.share.CounterType;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/**
 * What a driver's device did, by the counters of the driver. A device that fails is replaced by an emulator
 * (GuardedDevice), whose rates must not pass for those of the device.
 *
 * @param name as the driver reports it
 * @param pages of the rings
 * @param copied bytes that the device copied
 * @param emulated commands that an emulator executed in place of the device
 * @param errors of the device
 * @param resets of the device
 */
record DeviceFacts(String name, String pages, long copied, long emulated, long errors, long resets) {
    /** Reads the counters of the driver of a directory. */
    static DeviceFacts read(Path directory, String name, String pages) throws IOException {
        try (DriverStat stat = DriverStat.open(directory)) {
            List<DriverStat.Value> values = stat.values();
            return new DeviceFacts(
                    name,
                    pages,
                    sum(values, CounterType.DEVICE_BYTES),
                    sum(values, CounterType.EMULATED),
                    sum(values, CounterType.DEVICE_ERRORS),
                    sum(values, CounterType.DEVICE_RESETS));
        }
    }

    private static long sum(List<DriverStat.Value> values, CounterType type) {
        return values.stream()
                .filter(value -> value.type() == type.id())
                .mapToLong(DriverStat.Value::value)
                .sum();
    }

    /** The facts of this driver and a later one with the same device. */
    DeviceFacts plus(DeviceFacts later) {
        return new DeviceFacts(
                later.name,
                later.pages,
                copied + later.copied,
                emulated + later.emulated,
                errors + later.errors,
                resets + later.resets);
    }

    /** One line of a report. */
    String text() {
        return String.format(
                Locale.ROOT,
                "the driver reports '%s': copied %.2f GB; an emulator executed %d commands in its place; %d errors, %d resets;"
                        + " pages of %s",
                name,
                copied / 1e9,
                emulated,
                errors,
                resets,
                pages);
    }
}
