// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ProcessorGroupTest {
    @Test
    void aCommandRunsInTheGroupWhichIsRemovedAfterIt() throws Exception {
        assumeTrue(ProcessorGroup.isPossible(), "no right to make a group");
        String groups;
        try (ProcessorGroup group = ProcessorGroup.create()) {
            Process process = new ProcessBuilder(group.enter(List.of("cat", "/proc/self/cgroup"))).start();
            groups = new String(process.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);
            assertEquals(0, process.waitFor(), groups);
        }
        String name = "/pipedevice-bench-" + ProcessHandle.current().pid() + "-";
        assertTrue(groups.contains(name), groups);
        try (ProcessorGroup next = ProcessorGroup.create()) {
            assertTrue(next.enter(List.of()).get(2).contains(name), () -> "not the same place: " + groups);
        }
    }
}
