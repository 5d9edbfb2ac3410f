// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;

/**
 * A control group whose processes can be frozen, as {@code docker pause} does, of version 1 or 2. It is thawed when it
 * is closed, and all of its processes have to end, or to be killed, before that returns.
 */
public final class FreezerGroup extends TestGroup {
    private static final Path VERSION_1 = SYSTEM.resolve("freezer");

    private FreezerGroup(Path parent, boolean first) throws IOException {
        super(parent, first);
    }

    /** Creates a group. The test is skipped where this process may not create one. */
    public static FreezerGroup create() throws IOException {
        boolean first = Files.exists(VERSION_1.resolve("cgroup.procs"));
        Path parent = first ? VERSION_1 : SYSTEM;
        assumeTrue(
                Files.exists(parent.resolve("cgroup.procs")) && Files.isWritable(parent),
                "no freezer, or no right to make a group");
        return new FreezerGroup(parent, first);
    }

    /** Stops all processes; none runs when this returns. */
    public void freeze() throws IOException {
        set(true);
        Awaitility.await("frozen").atMost(Duration.ofMinutes(1)).until(this::isFrozen);
    }

    /** Lets all processes go on. */
    public void thaw() throws IOException {
        set(false);
    }

    private void set(boolean frozen) throws IOException {
        if (first) {
            write("freezer.state", frozen ? "FROZEN" : "THAWED");
        } else {
            write("cgroup.freeze", frozen ? "1" : "0");
        }
    }

    private boolean isFrozen() throws IOException {
        return first
                ? read("freezer.state").equals("FROZEN")
                : Files.readAllLines(directory.resolve("cgroup.events")).contains("frozen 1");
    }

    /** Removes the group, once the last of its processes has left it. */
    @Override
    public void close() throws IOException {
        thaw();
        for (String pid : Files.readAllLines(directory.resolve("cgroup.procs"))) {
            ProcessHandle.of(Long.parseLong(pid)).ifPresent(ProcessHandle::destroyForcibly);
        }
        super.close();
    }
}
