// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.account;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.driver.share.ProcessCounters;
import io.pipedevice.driver.share.Share;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MeterTest {
    @Test
    void whatAnAttachmentUsesIsCountedOnce() throws IOException {
        try (DriverCounters all = new DriverCounters(1, List.of());
                ProcessCounters counters = new ProcessCounters(all, 1, "container 1 pid 1")) {
            Account account = new Account("a", "", 0);
            Meter meter = new Meter(account, counters, new Share(), 0);
            counters.sent(100);
            counters.received(50);
            counters.message();
            counters.connected();
            counters.sendMemory(1_000_000_000_007L);
            counters.receiveMemory(3);
            meter.settle(TimeUnit.MILLISECONDS.toNanos(1500));
            meter.settle(TimeUnit.MILLISECONDS.toNanos(1500));
            counters.sent(1);
            Statement now = account.statement(1);
            assertEquals(100, now.total(Tally.DEVICE_SENT));
            assertEquals(50, now.total(Tally.DEVICE_RECEIVED));
            assertEquals(1, now.total(Tally.DEVICE_MESSAGES));
            assertEquals(1, now.total(Tally.DEVICE_CONNECTIONS));
            assertEquals(1, now.open());
            assertEquals(1_500_000_000_015L, now.total(Tally.MEMORY));
            counters.disconnected();
            meter.end(TimeUnit.MILLISECONDS.toNanos(1501));
            now = account.statement(1);
            assertEquals(101, now.total(Tally.DEVICE_SENT));
            assertEquals(0, now.open());
            assertEquals(1_501_000_000_015L, now.total(Tally.MEMORY));
        }
    }
}
