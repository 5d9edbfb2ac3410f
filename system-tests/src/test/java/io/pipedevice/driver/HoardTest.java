// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.driver.share.CounterType;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.ReadableClassPath;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Whatever other users and other namespaces take of the driver's resources, a part is left. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class HoardTest {
    private static final List<String> OTHER_USER =
            List.of("setpriv", "--reuid=65533", "--regid=65533", "--clear-groups");
    private static final List<String> OTHER_NAMESPACE =
            List.of("unshare", "-n", "sh", "-c", "ip link set lo up; exec \"$@\"", "sh");

    @TempDir
    private Path directory;

    private String classPath;

    @BeforeEach
    void copyClassPath() throws IOException {
        classPath = ReadableClassPath.in(directory);
    }

    @BeforeEach
    void onlyRootCanBeSomebodyElse() {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "only root may become another user, or make a network namespace");
    }

    private static TestDriver driver(DriverContext context) throws IOException {
        TestDriver driver = new TestDriver(context.policy(UserPolicy.ANY));
        Files.setPosixFilePermissions(driver.directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.setPosixFilePermissions(
                driver.directory.resolve(LockedDirectory.SOCKET), PosixFilePermissions.fromString("rwxrwxrwx"));
        return driver;
    }

    private ChildJvm hoard(TestDriver driver, List<String> wrapper, String what) throws IOException {
        return ChildJvm.start(wrapper, List.of(), classPath, HoardProcess.class, driver.directory.toString(), what);
    }

    private void assertRoomIsLeft(DriverContext context, List<String> wrapper, String what) throws IOException {
        try (TestDriver driver = driver(context);
                ChildJvm hoarder = hoard(driver, wrapper, what)) {
            String has = hoarder.expect("HAS");
            assertTrue(has.contains("share of"), has);
            driver.awaitAtLeast(CounterType.SHARE_REFUSALS, 1);
            for (int i = 0; i < 5; i++) {
                try (RawPair pair = new RawPair(driver)) {
                    pair.exchange();
                }
            }
            hoarder.send("end");
            driver.awaitNothingLeft();
        }
    }

    @Test
    void anotherUserLeavesConnections() throws IOException {
        assertRoomIsLeft(new DriverContext().maxConnections(1000), OTHER_USER, "connections");
    }

    @Test
    void anotherNamespaceLeavesConnections() throws IOException {
        assertRoomIsLeft(new DriverContext().maxConnections(1000), OTHER_NAMESPACE, "connections");
    }

    @Test
    void anotherUserLeavesMemory() throws IOException {
        assertRoomIsLeft(new DriverContext().totalMemory(256 << 20), OTHER_USER, "memory");
    }

    /**
     * A process has at most 16 connections, so it forks. Processes in another namespace count as well, because the user
     * is the same. The driver's reason for ending a connection is lost if the process sends first.
     */
    @Test
    void processesOfAnotherUserLeaveControlConnections() throws IOException {
        List<String> elsewhere = new ArrayList<>(OTHER_NAMESPACE);
        elsewhere.addAll(OTHER_USER);
        List<ChildJvm> forks = new ArrayList<>();
        try (TestDriver driver = driver(new DriverContext().maxControls(40))) {
            try {
                forks.add(hoard(driver, OTHER_USER, "controls"));
                forks.add(hoard(driver, elsewhere, "controls"));
                forks.add(hoard(driver, OTHER_USER, "controls"));
                int count = 0;
                for (ChildJvm fork : forks) {
                    count += Integer.parseInt(fork.expect("HAS").split(" ", 2)[0]);
                }
                assertTrue(count >= 30 && count <= 36, count + " of 40");
                driver.awaitAtLeast(CounterType.SHARE_REFUSALS, 1);
                try (RawPair pair = new RawPair(driver)) {
                    pair.exchange();
                }
                // A part is also left for the test's own user in another namespace.
                try (ChildJvm another = hoard(driver, OTHER_NAMESPACE, "controls")) {
                    String has = another.expect("HAS");
                    assertTrue(Integer.parseInt(has.split(" ", 2)[0]) >= 1, has);
                }
            } finally {
                forks.forEach(ChildJvm::close);
            }
            driver.awaitNothingLeft();
        }
    }

    /** A process has at most 16 attachments, so it forks. */
    @Test
    void processesOfAnotherUserLeaveAttachments() throws IOException {
        List<ChildJvm> forks = new ArrayList<>();
        try (TestDriver driver = driver(new DriverContext().maxProcesses(36))) {
            try {
                for (int i = 0; i < 3; i++) {
                    forks.add(hoard(driver, OTHER_USER, "attachments"));
                }
                for (ChildJvm fork : forks) {
                    fork.expect("HAS");
                }
                assertTrue(
                        forks.stream().anyMatch(fork -> fork.hasSaid("share of the driver's 36 attached processes")));
                try (RawPair pair = new RawPair(driver)) {
                    pair.exchange();
                }
            } finally {
                forks.forEach(ChildJvm::close);
            }
            driver.awaitNothingLeft();
        }
    }
}
