// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
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

    /** Between peers, where each process limits its own rings. */
    @Test
    void aRingThatIsTooSmallIsReported() throws IOException, InterruptedException {
        Program process = ring.add(
                Program.startMain(List.of("-Dpipedevice.ring.max=256k"), InPlaceAllreduce.class, "0", "1", "1", "1"));
        process.send("127.0.0.1 " + process.await("listening "));
        assertEquals(1, process.exitCode());
        assertTrue(process.printed().contains("a block has 1 to 262144 bytes"), process.printed());
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
