// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.share;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DriverCountersTest {
    @Test
    void thereIsRoomForEveryProcess() throws IOException {
        int most = 2000;
        try (DriverCounters counters = new DriverCounters(most, List.of())) {
            for (int cid = 0; cid < most; cid++) {
                int process = cid;
                assertDoesNotThrow(() -> new ProcessCounters(counters, process, "a process"));
            }
        }
    }
}
