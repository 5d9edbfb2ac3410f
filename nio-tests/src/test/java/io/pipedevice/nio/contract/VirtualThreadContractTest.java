// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Virtual threads that share one carrier: a thread that blocks the carrier would stop all the others. */
class VirtualThreadContractTest extends Contract {
    /** A tenth of what a server may have; -Pendurance runs it in full. */
    private static final String THREADS = System.getProperty("pipedevice.test.virtual", "1000");

    @TempDir
    Path directory;

    @Test
    @Timeout(value = 10, unit = TimeUnit.MINUTES)
    void noCallHoldsTheOnlyCarrier() throws Exception {
        OneCarrierJvm.run(directory.resolve("output"), 9, VirtualThreadProgram.class, pairing.name(), THREADS);
    }
}
