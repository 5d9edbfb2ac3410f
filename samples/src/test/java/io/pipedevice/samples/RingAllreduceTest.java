// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.samples.nio.RingAllreduce;
import java.io.IOException;
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

    private final Ring ring = new Ring();

    @AfterEach
    void end() {
        ring.close();
    }

    /** Every process verifies all sums. */
    @ParameterizedTest
    @CsvSource({"1, 3, false", "2, 3, false", "3, 3, false", "3, 3, true", "4, 1, true"})
    void theProcessesOfARingAddUpTheirArrays(int ranks, int megabytes, boolean accelerated)
            throws IOException, InterruptedException {
        List<String> flags = accelerated ? List.of(PROVIDER) : List.of();
        for (String channels : ring.reduce(flags, RingAllreduce.class, ranks, megabytes)) {
            assertEquals(accelerated, channels.endsWith("rings]"), channels);
        }
    }
}
