// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Virtual threads in sockets of java.net on rings, which share one carrier. */
class SocketVirtualThreadsTest {
    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource(names = {"PIPEDEVICE", "PIPEDEVICE_DRIVER", "PIPEDEVICE_DIRECT"})
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void noCallPinsOrHoldsTheCarrier(Pairing pairing) throws Exception {
        String why = pairing.whyNot();
        assumeTrue(why == null, why);
        OneCarrierJvm.run(directory.resolve("output"), 3, SocketVirtualThreadProgram.class, pairing.name());
    }
}
