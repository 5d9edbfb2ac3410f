// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.driver.share.CounterType;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Regions of processes, and operations of other processes on them. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class RegionProcessesTest extends OwnerAndClient {
    private static final String[] OTHER_USER = {"setpriv", "--reuid=65533", "--regid=65533", "--clear-groups"};

    private void start(DriverContext context) throws IOException {
        driver = new TestDriver(context);
        owner = RegionProcess.start(driver.directory);
        client = RegionProcess.start(driver.directory);
    }

    @ParameterizedTest
    @EnumSource
    void operationsMeetInTheOwnersMemoryWhileItStandsStill(DataPath path) throws IOException {
        start(new DriverContext().path(path));
        assertEquals("0", owner("register table anyone:rwa"));
        assertEquals(path == DataPath.DIRECT ? "1" : "0", client("find table rwa"));
        owner.signal("STOP");
        assertEquals("0", client("put 16 5"));
        assertEquals("5", client("swap 16 5 6"));
        assertEquals("6", client("swap 16 5 7"));
        assertEquals("6", client("add 16 1"));
        assertEquals("7", client("get 16"));
        assertEquals("0", client("copy"));
        owner.signal("CONT");
        assertEquals("7", owner("own-get 16"));
        assertEquals("506381209866536711", owner("own-get 4096"));
        assertEquals("RANGE", client("get 8192"));
        assertEquals("ALIGNMENT", client("add 4 1"));
    }

    @Test
    void additionsOfSeveralProcessesAndOfTheOwnerAreAllCounted() throws IOException {
        start(new DriverContext());
        try (ChildJvm third = RegionProcess.start(driver.directory)) {
            owner("register counter anyone:a");
            client("find counter");
            CommandedProcess.ask(third, "find counter");
            client.send("add 0 3000");
            third.send("add 0 3000");
            owner.send("own-add 0 1000000");
            client.expect("=");
            third.expect("=");
            owner.expect("=");
            assertEquals("1006000", owner("own-get 0"));
        }
    }

    @ParameterizedTest
    @EnumSource
    void theDeathOfTheOwnerEndsTheRegionWithAClearError(DataPath path) throws IOException {
        start(new DriverContext().path(path));
        owner("register table anyone:rwa");
        client("find table rwa");
        owner.kill();
        TestDriver.await("the end of the region", () -> client("put 0 1").equals("GONE"));
        assertEquals("GONE", client("get 0"));
        assertEquals("ENOENT", client("find table"));
        assertEquals("0", client("register table"));
    }

    @ParameterizedTest
    @EnumSource
    void rightsHoldForEachOperationUntilTheyAreWithdrawn(DataPath path) throws IOException {
        start(new DriverContext().path(path));
        owner("register table anyone:r");
        assertEquals("EACCES", client("find table w"));
        client("find table r");
        assertEquals("0", client("get 0"));
        assertEquals("DENIED", client("put 0 1"));
        assertEquals("DENIED", client("add 0 1"));
        owner("grant anyone:rw");
        assertEquals("0", client("put 0 1"));
        owner("grant anyone:");
        assertEquals("DENIED", client("get 0"));
        assertEquals("DENIED", client("put 0 2"));
        owner("grant anyone:r");
        assertEquals("1", client("get 0"));
        owner("end");
        assertEquals("GONE", client("get 0"));
        assertEquals("0", owner("writable"));
    }

    @Test
    void aProcessThatIsKilledWhileItOperatesLeavesNothing() throws IOException {
        start(new DriverContext());
        owner("register table anyone:rwa");
        for (String work : new String[] {"add 0 1000000000", "copies 1000000000"}) {
            String word = work.startsWith("add") ? "own-get 0" : "own-get 4096";
            try (ChildJvm victim = RegionProcess.start(driver.directory)) {
                CommandedProcess.ask(victim, "find table");
                victim.send(work);
                TestDriver.await("an operation", () -> !owner(word).equals("0"));
                victim.kill();
                victim.awaitEnd();
            }
        }
        driver.awaitCounter(CounterType.PROCESSES, 2);
        client("find table");
        assertEquals("0", client("put 8 1"));
    }

    @Test
    void aTenantReachesOnlyWhatAnotherOneHasGiven() throws IOException {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "needs root");
        Path policy = Files.createTempFile("pd-policy", ".yaml");
        try {
            Files.writeString(policy, "default: device");
            driver = new TestDriver(new DriverContext().policy(policy));
            Files.setPosixFilePermissions(driver.directory, PosixFilePermissions.fromString("rwxrwxrwx"));
            Files.setPosixFilePermissions(
                    driver.directory.resolve(LockedDirectory.SOCKET), PosixFilePermissions.fromString("rwxrwxrwx"));
            owner = RegionProcess.start(driver.directory);
            client = RegionProcess.start(driver.directory, OTHER_USER);
            owner("register table 0:rwa");
            assertEquals("EACCES", client("find table"));
            owner("grant 65533:r");
            assertEquals("0", client("find table r"), "not mapped");
            assertEquals("0", client("owner"));
            assertEquals("DENIED", client("put 0 1"));
            assertEquals("0", client("get 0"));
            assertEquals("0", client("writable"));
            assertEquals("0", client("register table anyone:rwa"), "a name of its own");
            assertEquals("0", client("find table"), "that of before");
            assertEquals("0", client("of-user table 65533"), "its own");
            assertEquals("65533", client("owner"));
            assertEquals("0", client("of-user table 0"));
            assertEquals("0", client("owner"));
            assertEquals("1", client("writable"));
            Files.writeString(
                    policy,
                    "rules:\n- same: user\n  path: device\n- to: any\n  path: device\n  regions: [write]"
                            + "\ndefault: kernel");
            TestDriver.await("the policy", () -> client("get 0").equals("DENIED"));
            assertEquals("DENIED", client("put 0 1"), "not given by the owner");
            assertEquals("0", owner("grant 65533:rwa"));
            assertEquals("0", client("put 0 1"));
            assertEquals("DENIED", client("get 0"));
            assertEquals("DENIED", client("add 0 1"));
            Files.writeString(policy, "rules:\n- same: user\n  path: device\ndefault: kernel");
            TestDriver.await("the policy", () -> client("put 0 1").equals("DENIED"));
            assertEquals("ENOENT", client("of-user table 0"));
        } finally {
            Files.delete(policy);
        }
    }
}
