// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.MemoryGroup;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process offers more memory than a driver's control group has, as objects without pages: whoever reads these first
 * pays for them. The driver reads none, goes on, and serves others.
 */
@Tag("processes")
@Timeout(value = 240, unit = TimeUnit.SECONDS)
final class HolesTest {
    private static final long MB = 1 << 20;
    private static final long DRIVERS = 300 * MB;
    private static final long HOSTILE = 300 * MB;
    private static final long PATIENCE_S = 180;
    private static final int OFFERED_MB = 400;

    @TempDir
    private Path directory;

    private String offer(String what) throws Exception {
        try (MemoryGroup group = MemoryGroup.of(DRIVERS);
                MemoryGroup others = MemoryGroup.of(HOSTILE)) {
            String offered;
            try (ChildJvm driver = DriverProcess.start(group.wrapper(), directory);
                    RawPair pair = new RawPair(
                            RawClient.attach(TestDriver.endpoint(directory)),
                            RawClient.attach(TestDriver.endpoint(directory)));
                    ChildJvm hostile = ChildJvm.start(
                            others.wrapper(),
                            List.of(),
                            HolesProcess.class,
                            directory.toString(),
                            what,
                            Integer.toString(OFFERED_MB))) {
                pair.exchange();
                // Verifying so many programs takes long on a machine that is busy with other things.
                Awaitility.await()
                        .atMost(PATIENCE_S, TimeUnit.SECONDS)
                        .until(() -> hostile.hasSaid("OFFERED") || !hostile.isAlive() || !driver.isAlive());
                offered = hostile.expect("OFFERED");
                pair.exchange();
                assertTrue(driver.isAlive());
            }
            assertEquals(0, group.killed());
            assertEquals(0, others.killed());
            return offered;
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"lib pages", "regions", "send rings", "queue pairs"})
    void memoryWhosePagesLieBehindItsEndIsRefusedAndTakesNoneOfTheDrivers(String what) throws Exception {
        String offered = offer(what);
        String[] words = offered.split(" ", -1);
        assertEquals(words[0], words[2], offered);
        assertTrue(offered.contains("has not allocated"), offered);
    }

    @Test
    void programsWithoutPagesTakeNoMemoryOfTheDrivers() throws Exception {
        String offered = offer("programs");
        assertTrue(offered.contains("REFUSED " + OFFERED_MB + " ENOEXEC"), offered);
    }
}
