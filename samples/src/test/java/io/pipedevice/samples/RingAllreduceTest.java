// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.samples.nio.RingAllreduce;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class RingAllreduceTest {
    static final String PROVIDER =
            "-Djava.nio.channels.spi.SelectorProvider=io.pipedevice.nio.PipeDeviceSelectorProvider";

    private final Deque<Program> open = new ArrayDeque<>();

    @AfterEach
    void end() {
        open.forEach(Program::close);
    }

    /** Every process verifies all sums. */
    @ParameterizedTest
    @CsvSource({"1, 3, false", "2, 3, false", "3, 3, false", "3, 3, true", "4, 1, true"})
    void theProcessesOfARingAddUpTheirArrays(int ranks, int megabytes, boolean accelerated)
            throws IOException, InterruptedException {
        List<Program> ring = new ArrayList<>();
        for (int rank = 0; rank < ranks; rank++) {
            Program process = Program.startMain(
                    accelerated ? List.of(PROVIDER) : List.of(),
                    RingAllreduce.class,
                    Integer.toString(rank),
                    Integer.toString(ranks),
                    Integer.toString(megabytes),
                    "2");
            open.add(process);
            ring.add(process);
        }
        List<String> ports = new ArrayList<>();
        for (Program each : ring) {
            ports.add(each.await("listening "));
        }
        for (int rank = 0; rank < ranks; rank++) {
            ring.get(rank).tell("127.0.0.1 " + ports.get((rank + 1) % ranks));
        }
        for (Program each : ring) {
            String channels = each.await("verified ");
            assertEquals(accelerated, channels.contains("rings"), channels);
            assertTrue(each.printed().contains("reduced "), each.printed());
            assertEquals(0, each.exitCode());
        }
    }
}
