// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
class WorkTest {
    private static final int COUNT = 20;
    private static final long NANOS = 20_000_000;

    @ParameterizedTest
    @EnumSource
    void trafficGoesOnInEachTurnAndEnds(Work work) throws Exception {
        try (Server server = work.serve(COUNT);
                Client client = work.open(server.port(), COUNT)) {
            for (int turn = 0; turn < 3; turn++) {
                assertTrue(client.run(NANOS) > 0, () -> work + " has done nothing");
            }
        }
    }
}
