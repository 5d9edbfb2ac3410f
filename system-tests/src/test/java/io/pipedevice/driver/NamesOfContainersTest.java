// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Names of regions and functions that several containers of one user publish. */
@Timeout(value = 180, unit = TimeUnit.SECONDS)
final class NamesOfContainersTest extends OwnerAndClient {
    /** Without a container ID, processes of different network namespaces are different containers. */
    private static final String[] OTHER_CONTAINER = {"unshare", "-n"};

    private static final String[] OTHER_USER = {"setpriv", "--reuid=65533", "--regid=65533", "--clear-groups"};
    private static final String FIRST_ID = "0123456789abcdef".repeat(4);
    private static final String SECOND_ID = "0123456fedcba987".repeat(4);

    /** Of the same user as the owner, in a third container. */
    private ChildJvm intruder;

    private final List<ContainerGroup> groups = new ArrayList<>();

    @BeforeEach
    void needRights() {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "needs root");
    }

    @AfterEach
    void end() {
        for (ChildJvm child : new ChildJvm[] {owner, client, intruder}) {
            if (child != null) {
                child.close();
            }
        }
        groups.forEach(ContainerGroup::close);
    }

    /** The wrapper of a process with a container ID. */
    private String[] inContainer(String id) throws IOException {
        ContainerGroup group = ContainerGroup.of(id);
        groups.add(group);
        return group.wrapper();
    }

    private void startRegions() throws IOException {
        driver = new TestDriver();
        owner = RegionProcess.start(driver.directory, OTHER_CONTAINER);
        client = RegionProcess.start(driver.directory);
        intruder = RegionProcess.start(driver.directory, OTHER_CONTAINER);
    }

    private void startFunctions() throws IOException {
        driver = new TestDriver();
        owner = FunctionProcess.start(driver.directory, OTHER_CONTAINER);
        client = FunctionProcess.start(driver.directory);
        intruder = FunctionProcess.start(driver.directory, OTHER_CONTAINER);
        owner("region memory");
        intruder("region memory");
    }

    private String intruder(String command) throws IOException {
        return CommandedProcess.ask(intruder, command);
    }

    private static void assertNamed(String message, String... parts) {
        for (String part : parts) {
            assertTrue(message.contains(part), message);
        }
    }

    @Test
    void aNameOfSeveralContainersIsAnErrorThatNamesBothWhateverTheirGrantsAre() throws IOException {
        startRegions();
        assertEquals("0", intruder("register table anyone:rwa"));
        assertEquals("0", owner("register table"));
        assertEquals("ENOTUNIQ", client("find table"), "the owner has not granted yet");
        assertEquals("0", owner("grant anyone:rwa"));
        assertEquals("ENOTUNIQ", client("find table"));
        String problem = client("problem");
        owner("find table");
        intruder("find table");
        String owners = owner("container");
        String intruders = intruder("container");
        assertNotEquals(owners, intruders);
        assertNamed(problem, "region table", owners, intruders, "Owner");
        assertEquals("0", client("in table " + owners));
        assertEquals(owners, client("container"));
        assertEquals("0", client("put 0 5"));
        assertEquals("5", owner("own-get 0"));
        assertEquals("0", intruder("own-get 0"));
        client("find table");
        assertEquals(owners, client("container"), "which is known now");
        assertEquals("0", client("in table " + intruders));
        assertEquals(intruders, client("container"));
        assertEquals("ENOENT", client("in table /nowhere,net=1,user=0"));
        assertEquals("EINVAL", client("in table /"));
    }

    @Test
    void aClientIsNotLedToAnotherContainerThanBefore() throws IOException {
        startRegions();
        assertEquals("0", owner("register table anyone:rwa"));
        client("find table");
        String owners = client("container");
        assertEquals("0", client("put 0 1"));
        assertEquals("0", owner("end"));
        assertEquals("0", intruder("register table anyone:rwa"));
        assertEquals("GONE", client("put 0 1"));
        assertNamed(client("problem"), "region table", owners);
        assertEquals("EREMCHG", client("find table"));
        intruder("find table");
        assertNamed(client("problem"), "region table", owners, intruder("container"), "Owner");
        assertEquals("0", client("attach"));
        assertEquals("EREMCHG", client("find table"), "after it has attached again");
        assertEquals("0", owner("register table anyone:rwa"));
        client("find table");
        assertEquals(owners, client("container"), "although there are two");
        assertEquals("0", owner("end"));
        assertEquals("0", client("of-anyone table"));
        assertEquals(intruder("container"), client("container"));
        client("find table");
        assertEquals(intruder("container"), client("container"), "as the client has accepted");
        assertEquals("0", intruder("end"));
        assertEquals("ENOENT", client("find table"));
    }

    @Test
    void aProcessFindsTheNameOfItsOwnContainerFirst() throws IOException {
        startRegions();
        assertEquals("0", owner("register table anyone:rwa"));
        assertEquals("0", intruder("register table anyone:rwa"));
        assertEquals("0", client("register table anyone:rwa"));
        client("find table");
        assertEquals("0", client("put 0 7"));
        assertEquals("7", client("own-get 0"));
        assertEquals("EEXIST", client("register table"), "a name belongs to one region of a container");
    }

    @Test
    void aFunctionOfSeveralContainersIsAnErrorThatNamesBothWhateverTheirGrantsAre() throws IOException {
        startFunctions();
        assertEquals("0", intruder("function add 2 READ 1000 anyone:c"));
        assertEquals("0", owner("function add 1 ADD 1000"));
        assertEquals("ENOTUNIQ", client("find add"), "the owner has not granted yet");
        assertEquals("0", owner("grant anyone:c"));
        assertEquals("ENOTUNIQ", client("find add"));
        String problem = client("problem");
        owner("find add");
        intruder("find add");
        assertNamed(problem, "function add", owner("container"), intruder("container"), "Owner");
        assertEquals("1", client("in add " + owner("container")));
        assertEquals("0", client("call DEVICE 5 16"));
        assertEquals("5", owner("word 16"));
        assertEquals("1", client("find add"), "whose owner is known now");
    }

    @Test
    void aCallerIsNotLedToAnotherContainerThanBefore() throws IOException {
        startFunctions();
        assertEquals("0", owner("function add 1 ADD 1000 anyone:c"));
        assertEquals("1", client("find add"));
        String owners = client("container");
        assertEquals("0", owner("close"));
        assertEquals("0", intruder("function add 1 ADD 1000 anyone:c"));
        assertEquals("GONE", client("call DEVICE 5 16"));
        assertEquals("EREMCHG", client("find add"));
        intruder("find add");
        assertNamed(client("problem"), "function add", owners, intruder("container"), "Owner");
    }

    @Test
    void severalUsersOfAContainerAreAnErrorThatNamesThem() throws IOException {
        driver = new TestDriver(new DriverContext().policy(UserPolicy.ANY));
        Files.setPosixFilePermissions(driver.directory, PosixFilePermissions.fromString("rwxrwxrwx"));
        Files.setPosixFilePermissions(
                driver.directory.resolve(LockedDirectory.SOCKET), PosixFilePermissions.fromString("rwxrwxrwx"));
        String[] container = inContainer(FIRST_ID);
        owner = RegionProcess.start(driver.directory, container);
        intruder = RegionProcess.start(
                driver.directory,
                Stream.of(container, OTHER_USER).flatMap(Stream::of).toArray(String[]::new));
        client = RegionProcess.start(driver.directory);
        assertEquals("0", owner("register table anyone:rwa"));
        assertEquals("0", intruder("register table anyone:rwa"));
        assertEquals("ENOTUNIQ", client("find table"));
        assertNamed(client("problem"), "users 0 and 65533 of container 0123456789ab;");
        assertEquals("ENOTUNIQ", client("in table " + FIRST_ID));
        assertEquals("0", client("of-user table 65533"));
        assertEquals("65533", client("owner"));
        client("find table");
        assertEquals("65533", client("owner"), "as before");
    }

    @Test
    void theCountersOfADriverNameTheContainers() throws IOException {
        startRegions();
        assertEquals("0", owner("register table anyone:rwa"));
        client("find table");
        String label = "regions of attachment 1 in " + client("container") + " pid " + owner.pid();
        assertTrue(driver.stat.values().stream().anyMatch(each -> each.label().equals(label)), label);
    }

    @Test
    void containersHaveTheirIdsAndAreFoundByTheBeginningOfThem() throws IOException {
        driver = new TestDriver();
        owner = RegionProcess.start(driver.directory, inContainer(FIRST_ID));
        intruder = RegionProcess.start(driver.directory, inContainer(SECOND_ID));
        client = RegionProcess.start(driver.directory);
        assertEquals("0", owner("register table anyone:rwa"));
        assertEquals("0", intruder("register table anyone:rwa"));
        assertEquals("ENOTUNIQ", client("find table"));
        assertNamed(client("problem"), "containers 0123456789ab and 0123456fedcb;");
        assertEquals("0", client("in table 0123456789ab"));
        assertEquals(FIRST_ID, client("container"));
        assertEquals("0", client("in table " + SECOND_ID));
        assertEquals(SECOND_ID, client("container"));
        assertEquals("EINVAL", client("in table 0123456"), "too few digits");
    }
}
