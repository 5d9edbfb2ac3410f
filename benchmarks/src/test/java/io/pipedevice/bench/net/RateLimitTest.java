// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RateLimitTest {
    private static final List<String> FLAGS = List.of("-Dpipedevice.driver.path=device", "-Dother=1");

    @Test
    void flagsStayWithoutALimit(@TempDir Path directory) throws Exception {
        assertEquals(FLAGS, RateLimit.flags(FLAGS, 0, directory));
    }

    @Test
    void pathBecomesARuleBesideTheLimit(@TempDir Path directory) throws Exception {
        Path policy = directory.resolve("policy.yaml");
        assertEquals(
                List.of("-Dother=1", "-Dpipedevice.driver.policy=" + policy), RateLimit.flags(FLAGS, 10, directory));
        String text = Files.readString(policy);
        assertTrue(text.contains("path: device"), text);
        assertTrue(text.contains("rate: 10 Gbit/s"), text);
    }
}
