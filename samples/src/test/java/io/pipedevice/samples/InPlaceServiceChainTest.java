// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 60, unit = TimeUnit.SECONDS)
class InPlaceServiceChainTest {
    private final Chain chain = new Chain();

    @TempDir
    private Path directory;

    @AfterEach
    void end() {
        chain.close();
    }

    @Test
    void everyRequestIsAnsweredOnceBetweenPeers() throws IOException, InterruptedException {
        String connection = chain.answer(List.of(), InPlaceServiceChain.class);
        assertTrue(connection.endsWith(" peers, rings]"), connection);
    }

    @Test
    void everyRequestIsAnsweredOnceThroughADriver() throws IOException, InterruptedException {
        chain.add(Program.start("driver", "--dir", directory.toString())).await("ready");
        String connection = chain.answer(List.of("-Dpipedevice.driver=" + directory), InPlaceServiceChain.class);
        assertTrue(connection.endsWith(" driver, rings]"), connection);
    }
}
