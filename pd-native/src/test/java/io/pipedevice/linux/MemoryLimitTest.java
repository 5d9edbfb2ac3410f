// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Control groups of every kind, as files of a directory. */
class MemoryLimitTest {
    private static final long MACHINE = 8L << 30;
    private static final String UNLIMITED = "9223372036854771712";
    private static final String FIRST = "32 31 0:29 %s /sys/fs/cgroup/memory rw,relatime - cgroup cgroup rw,memory\n";
    private static final String CPU = "33 31 0:30 / /sys/fs/cgroup/cpu rw,relatime shared:7 - cgroup cgroup rw,cpu\n";
    private static final String SECOND = "41 31 0:38 %s %s rw,relatime shared:9 master:1 - cgroup2 cgroup2 rw\n";

    @TempDir
    private Path root;

    @BeforeEach
    void machine() throws IOException {
        write("proc/meminfo", "MemTotal:        8388608 kB\nMemFree:         100 kB\n");
    }

    private void write(String file, String content) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        Files.writeString(path, content);
    }

    private void process(String groups, String mounts) throws IOException {
        write("proc/self/cgroup", groups);
        write("proc/self/mountinfo", "22 1 254:0 / / rw - ext4 /dev/root rw\n" + mounts);
    }

    @Test
    void withoutControlGroupsItIsThatOfTheMachine() {
        assertEquals(MACHINE, MemoryLimit.of(root));
    }

    @Test
    void theSmallestLimitOnTheWayToTheRootCountsInVersion2() throws IOException {
        process("0::/a/b/c\n", SECOND.formatted("/", "/sys/fs/cgroup"));
        write("sys/fs/cgroup/a/memory.max", "500000000\n");
        write("sys/fs/cgroup/a/b/memory.max", "600000000\n");
        write("sys/fs/cgroup/a/b/c/memory.max", "max\n");
        write("sys/fs/cgroup/other/memory.max", "1\n");
        assertEquals(500_000_000, MemoryLimit.of(root));
        write("sys/fs/cgroup/a/b/c/memory.high", "400000000\n");
        assertEquals(400_000_000, MemoryLimit.of(root), "beyond it the kernel slows the group down");
    }

    @Test
    void theSmallestLimitOnTheWayToTheRootCountsInVersion1() throws IOException {
        process("5:cpu:/elsewhere\n4:memory:/a/b\n0::/\n", CPU + FIRST.formatted("/"));
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", UNLIMITED);
        write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "500000000\n");
        write("sys/fs/cgroup/memory/a/b/memory.limit_in_bytes", "600000000\n");
        assertEquals(500_000_000, MemoryLimit.of(root));
    }

    @Test
    void anUnlimitedGroupHasTheMemoryOfTheMachine() throws IOException {
        process("4:memory:/\n", FIRST.formatted("/"));
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", UNLIMITED);
        assertEquals(MACHINE, MemoryLimit.of(root));
    }

    @Test
    void aContainerOfVersion1HasItsGroupAtTheTopOfTheMountAndItsNameFromOutside() throws IOException {
        process("4:cpu,memory:/docker/abc\n", FIRST.formatted("/docker/abc"));
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", "500000000\n");
        assertEquals(500_000_000, MemoryLimit.of(root));
        process("4:memory:/docker/abc/inner\n", FIRST.formatted("/docker/abc"));
        write("sys/fs/cgroup/memory/inner/memory.limit_in_bytes", "300000000\n");
        assertEquals(300_000_000, MemoryLimit.of(root));
        process("4:memory:/docker/abcd\n", FIRST.formatted("/docker/abc"));
        assertEquals(500_000_000, MemoryLimit.of(root), "another group that begins with the same letters");
    }

    @Test
    void limitsAboveTheMountCountInVersion1() throws IOException {
        process("4:memory:/docker/abc\n", FIRST.formatted("/docker/abc"));
        write("sys/fs/cgroup/memory/memory.limit_in_bytes", UNLIMITED);
        write("sys/fs/cgroup/memory/memory.stat", "cache 1\nhierarchical_memory_limit 200000000\n");
        assertEquals(200_000_000, MemoryLimit.of(root));
    }

    @Test
    void aContainerWithANamespaceHasItsGroupAtTheTop() throws IOException {
        process("0::/\n", SECOND.formatted("/", "/sys/fs/cgroup"));
        write("sys/fs/cgroup/memory.max", "500000000\n");
        assertEquals(500_000_000, MemoryLimit.of(root));
        process("0::/../other\n", SECOND.formatted("/", "/sys/fs/cgroup"));
        assertEquals(500_000_000, MemoryLimit.of(root), "a group beside that of the namespace");
    }

    @Test
    void aGroupThatTheMountDoesNotShowHasTheLimitOfItsTop() throws IOException {
        process("0::/gone\n", SECOND.formatted("/", "/sys/fs/cgroup"));
        write("sys/fs/cgroup/memory.max", "500000000\n");
        assertEquals(500_000_000, MemoryLimit.of(root));
    }

    @Test
    void ofBothVersionsTheOneThatHasTheMemoryCounts() throws IOException {
        process(
                "4:memory:/a\n1:name=systemd:/b\n0::/b\n",
                FIRST.formatted("/") + SECOND.formatted("/", "/sys/fs/cgroup/unified"));
        write("sys/fs/cgroup/memory/a/memory.limit_in_bytes", "500000000\n");
        write("sys/fs/cgroup/unified/b/cgroup.procs", "1\n");
        assertEquals(500_000_000, MemoryLimit.of(root));
        process("1:name=systemd:/b\n0::/b\n", CPU + SECOND.formatted("/", "/sys/fs/cgroup/unified"));
        write("sys/fs/cgroup/unified/b/memory.max", "300000000\n");
        assertEquals(300_000_000, MemoryLimit.of(root));
    }

    @Test
    void namesWithSpacesAreRead() throws IOException {
        process("0::/a b\n", SECOND.formatted("/", "/sys/control\\040groups"));
        write("sys/control groups/a b/memory.max", "500000000\n");
        assertEquals(500_000_000, MemoryLimit.of(root));
    }

    @Test
    void filesThatCannotBeParsedSetNoLimit() throws IOException {
        process("\n:\n0::\n4:memory\n0::/a\n", "-\n\n1 2 3 - cgroup2\n" + SECOND.formatted("/", "/sys/fs/cgroup"));
        write("sys/fs/cgroup/memory.max", "much\n");
        assertEquals(MACHINE, MemoryLimit.of(root));
    }

    @Test
    void thisProcessHasSomeMemory() {
        assertTrue(MemoryLimit.ofProcess() > 32 << 20);
    }
}
