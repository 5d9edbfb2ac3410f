// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Timeout(60)
final class TcpPortTest {
    private static final long KEYS = 1000;

    @ParameterizedTest
    @EnumSource
    void answersOverTcpAreThoseOfTheApplication(Application application) throws IOException {
        List<MemorySegment> regions = application.sizes(KEYS).stream()
                .map(size -> Arena.ofAuto().allocate(size, Long.BYTES))
                .toList();
        application.fill(regions, KEYS);
        Histogram times = LoadPart.histogram();
        try (TcpServer server = new TcpServer(application, regions);
                TcpPort port = new TcpPort(server.port(), application.messageLength(), 32)) {
            // The workload checks each answer.
            new ClosedLoop(port, application.workload(KEYS), 1).run(0.02, times);
            new ClosedLoop(port, application.workload(KEYS), 32).run(0.1, times);
        }
        assertTrue(times.getTotalCount() > 32);
    }
}
