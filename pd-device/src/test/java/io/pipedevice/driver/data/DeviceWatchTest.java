// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.device.emulator.DmaEmulator;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandType;
import io.pipedevice.test.DriverLog;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A device that completes nothing, because no thread runs it, in simulated time. */
final class DeviceWatchTest {
    private static final long TIMEOUT_MS = 1000;
    private static final long LOOK_MS = 10;

    private final DmaEmulator device = new DmaEmulator(new DmaEmulator.Context());
    private final DriverLog log = new DriverLog();
    private DriverCounters counters;
    private Completions completions;
    private DeviceWatch watch;
    private long nowMs = 5000;

    @BeforeEach
    void submit() throws IOException {
        counters = new DriverCounters(1, device.health());
        FaultyProcesses faulty = new FaultyProcesses();
        completions =
                new Completions(device, new ConnectionTable(16), new Notifier(faulty, counters), faulty, counters);
        CopyScheduler copies = new CopyScheduler(device, completions, null, counters);
        watch = new DeviceWatch(device, copies, completions, null, counters, TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS));
        check();
        Command command = new Command().set(CommandType.SEND, 1, 2, 3, 4, 5, 0, 0, 0);
        assertTrue(completions.submit(0, command, new Endpoint(null, 0, 1, null)));
        completions.lanes().flush();
    }

    @AfterEach
    void close() {
        counters.close();
        device.close();
        log.close();
    }

    private void check() {
        watch.check(TimeUnit.MILLISECONDS.toNanos(nowMs));
    }

    private void pass(long ms) {
        for (long end = nowMs + ms; nowMs < end; check()) {
            nowMs += LOOK_MS;
        }
    }

    private void assertPatientFor(long ms) {
        pass(ms);
        assertEquals(1, completions.outstanding());
    }

    private void assertReset() {
        pass(2 * LOOK_MS);
        assertEquals(0, completions.outstanding());
        assertTrue(log.has(System.Logger.Level.ERROR, "completed none of 1 commands"));
    }

    @Test
    void aDeviceThatStandsStillIsReset() {
        assertPatientFor(TIMEOUT_MS - LOOK_MS);
        assertReset();
    }

    @Test
    void aDeviceThatMakesProgressIsNotReset() {
        for (int i = 0; i < 5; i++) {
            assertPatientFor(TIMEOUT_MS - LOOK_MS);
            watch.progress();
        }
        assertPatientFor(TIMEOUT_MS);
        assertReset();
    }

    @Test
    void aPauseOfTheDriverIsNotTheDevices() {
        assertPatientFor(TIMEOUT_MS / 2);
        nowMs += 10 * TIMEOUT_MS;
        check();
        assertPatientFor(TIMEOUT_MS - LOOK_MS);
        assertReset();
    }
}
