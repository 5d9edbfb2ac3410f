// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class InPlaceAllreduceTest {
    private final Ring ring = new Ring();

    @TempDir
    private Path directory;

    @AfterEach
    void end() {
        ring.close();
    }

    /** Every process verifies all sums; parts of three processes do not have the same length. */
    @ParameterizedTest
    @CsvSource({"1, 1", "2, 3", "3, 3", "3, 1", "4, 5"})
    void theProcessesOfARingAddUpTheirArraysBetweenPeers(int ranks, int megabytes)
            throws IOException, InterruptedException {
        for (String connections : ring.reduce(List.of(), InPlaceAllreduce.class, ranks, megabytes)) {
            assertTrue(connections.endsWith(" peers, rings]"), connections);
        }
    }

    @ParameterizedTest
    @CsvSource({"2, 3", "3, 3"})
    void theProcessesOfARingAddUpTheirArraysThroughADriver(int ranks, int megabytes)
            throws IOException, InterruptedException {
        ring.add(Program.start("driver", "--dir", directory.toString())).await("ready");
        List<String> flags = List.of("-Dpipedevice.driver=" + directory);
        for (String connections : ring.reduce(flags, InPlaceAllreduce.class, ranks, megabytes)) {
            assertTrue(connections.endsWith(" driver, rings]"), connections);
        }
    }
}
