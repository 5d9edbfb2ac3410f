// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.FuzzTrial;
import io.pipedevice.test.Holdings;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A process sends a driver messages, descriptors, words and requests that are correct except for one error. */
@Tag("processes")
@Timeout(value = 3, unit = TimeUnit.HOURS)
final class DriverFuzzTest {
    private static final long SEED = Long.getLong("pipedevice.test.seed", System.nanoTime());

    @TempDir
    private Path directory;

    @Test
    void aFuzzerHarmsNeitherTheDriverNorItsOtherProcesses() throws Exception {
        FuzzTrial.withGroups((ofVictim, ofBystander) -> {
            try (ChildJvm victim = FuzzedDriver.start(ofVictim, directory, FuzzTrial.flags());
                    ChildJvm bystander = ChildJvm.start(
                            ofBystander, ChildJvm.inheritedFlags(), BystandingPair.class, directory.toString())) {
                bystander.expect("READY");
                new FuzzTrial(victim, bystander, DriverFuzzTest::look)
                        .run(SEED, seed -> start(directory.toString(), seed));
            }
        });
    }

    private static Holdings look(ChildJvm victim) throws IOException {
        victim.send("heap");
        return Holdings.of(victim.pid()).withHeap(Long.parseLong(victim.expect("HEAP")));
    }

    /**
     * Starts the process, and the honest process to which it connects. A process keeps resources of its connections
     * for later ones, so the honest one ends with the process.
     */
    private static List<ChildJvm> start(String directory, long seed) throws IOException {
        ChildJvm house = ChildJvm.start(HouseProcess.class, directory);
        try {
            String port = house.expect("PORT");
            return List.of(
                    ChildJvm.start(
                            List.of(),
                            ChildJvm.inheritedFlags(),
                            DriverFuzzer.class,
                            directory,
                            port,
                            Long.toString(seed)),
                    house);
        } catch (IOException e) {
            house.close();
            throw e;
        }
    }
}
