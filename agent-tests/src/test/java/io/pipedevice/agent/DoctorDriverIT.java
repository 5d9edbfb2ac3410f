// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.client.DriverDirectory;
import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.PipeDeviceDriver;
import io.pipedevice.linux.HugePages;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The doctor's findings about programs that name a driver. */
@Timeout(value = 480, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class DoctorDriverIT extends DoctorPrograms {
    @Test
    void driverIsLookedForWhereTheProgramDoes() throws Exception {
        Path own = Files.createDirectory(dir.resolve("own"));
        Path socket = own.resolve(DriverDirectory.SOCKET_NAME);
        Process server = startIn(dir, JAVA, AGENT, SMALL, "-Dpipedevice.driver=own", "-cp", CLASSES, HOLDING, "serve");
        assertTrue(Integer.parseInt(next(server)) > 0);
        try (PipeDeviceDriver driver = PipeDeviceDriver.launch(new DriverContext().directory(own))) {
            Diagnosis seen = diagnose(server.pid());
            assertFalse(seen.has("no-driver"), () -> seen + " with " + driver);
            assertEquals(HugePages.free2M() == 0, seen.has("huge-pages"), seen::toString);
        }
        UnixSocket.listen(UnixSocket.Type.SEQPACKET, UnixAddress.path(socket), 1)
                .close();
        assertTrue(Files.exists(socket), "what a driver that is killed leaves");
        Diagnosis seen = diagnose(server.pid());
        assertTrue(seen.line("no-driver").startsWith("problem no-driver no driver runs at own; "), seen::toString);
        assertFalse(seen.has("huge-pages"), seen::toString);
    }

    @Test
    void driverThatIsGoneIsAProblemAlsoWhereAllWasWell() throws Exception {
        String flag = "-Dpipedevice.driver=" + dir;
        Process server;
        try (PipeDeviceDriver driver = PipeDeviceDriver.launch(new DriverContext().directory(dir))) {
            server = start(JAVA, AGENT, SMALL, flag, "-cp", CLASSES, HOLDING, "serve", "accept");
            Process client = start(JAVA, AGENT, SMALL, flag, "-cp", CLASSES, HOLDING, "connect", next(server));
            assertEquals("ready", next(client));
            assertEquals("ready", next(server));
            Diagnosis seen = diagnose(server.pid());
            assertTrue(seen.line("accelerated").startsWith("ok accelerated 1 of 1 "), () -> seen + " with " + driver);
            assertEquals(0, seen.exit(), seen::toString);
        }
        Diagnosis seen = diagnose(server.pid());
        assertTrue(seen.line("no-driver").startsWith("problem no-driver "), seen::toString);
        assertEquals(3, seen.exit(), seen::toString);
    }

    @Test
    void driverThatStartedAgainHasLostTheConnectionsOfTheOneBefore() throws Exception {
        String flag = "-Dpipedevice.driver=" + dir;
        Process server;
        try (PipeDeviceDriver driver = PipeDeviceDriver.launch(new DriverContext().directory(dir))) {
            server = holdWith(flag, "serve", "accept");
            assertEquals("ready", next(holdWith(flag, "connect", next(server))), driver::toString);
            assertEquals("ready", next(server));
        }
        try (PipeDeviceDriver driver = PipeDeviceDriver.launch(new DriverContext().directory(dir))) {
            Diagnosis seen = diagnose(server.pid());
            assertEquals(
                    "problem accelerated 1 of 1 connections of java.nio on rings, 1 of them open, but the driver of 1 of"
                            + " those has ended since: they are reset at their next use",
                    seen.line("accelerated"));
            assertFalse(seen.has("no-driver"), () -> seen + " with " + driver);
            assertEquals(3, seen.exit(), seen::toString);
        }
    }

    @Test
    void directoryThatDoesNotExistIsNamedWithItsProperty() throws Exception {
        Process server = holdWith("-Dpipedevice.driver=/nowhere", "serve");
        assertTrue(Integer.parseInt(next(server)) > 0);
        assertEquals(
                "problem no-driver -Dpipedevice.driver=/nowhere names a directory that does not exist; correct it, or start"
                        + " it: pipedevice driver --dir /nowhere",
                diagnose(server.pid()).line("no-driver"));
    }

    @Test
    void policyAnyIsSuggestedToUsersOfOneDriver() throws Exception {
        Path shared = Files.createDirectory(Path.of("target", "policy").toAbsolutePath());
        Path socket = shared.resolve(DriverDirectory.SOCKET_NAME);
        String flag = "-Dpipedevice.driver=" + shared;
        try (PipeDeviceDriver driver = PipeDeviceDriver.launch(new DriverContext().directory(shared))) {
            Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rwxrwxrwx"));
            Process server = holdWith(flag, "serve", "accept");
            List<String> command = new ArrayList<>(asUser("12345"));
            command.addAll(List.of(JAVA, AGENT, SMALL, flag, "-cp", CLASSES, HOLDING, "connect", next(server)));
            Process client = start(command.toArray(String[]::new));
            assertEquals("ready", next(client), driver::toString);
            String said = diagnose(client.pid()).line("other-user");
            assertTrue(said.endsWith(", or start the driver at " + shared + " as root with --policy any"), said);
        } finally {
            delete(shared);
        }
    }

    @Test
    void socketThatTheUserMayNotWriteToIsReportedWithItsOwnerAndMode() throws Exception {
        Path shared = Files.createDirectory(Path.of("target", "shared").toAbsolutePath());
        Path socket = shared.resolve(DriverDirectory.SOCKET_NAME);
        try (PipeDeviceDriver driver = PipeDeviceDriver.launch(new DriverContext().directory(shared))) {
            Files.setPosixFilePermissions(shared, PosixFilePermissions.fromString("rwxr-xr-x"));
            Files.setPosixFilePermissions(socket, PosixFilePermissions.fromString("rwxr-xr-x"));
            String port = next(server(true));
            List<String> command = new ArrayList<>(asUser("12345"));
            command.addAll(List.of(JAVA, AGENT, SMALL, "-Dpipedevice.driver=" + shared, "-cp", CLASSES, HOLDING));
            command.addAll(List.of("connect", port));
            Process client = start(command.toArray(String[]::new));
            assertEquals("ready", next(client), driver::toString);
            String denied =
                    "user 12345 may not write to " + socket + " (owner 0, group 0, mode rwxr-xr-x); start the driver"
                            + " with a umask and a group that let this user write there";
            Diagnosis seen = diagnose(client.pid());
            assertEquals(
                    List.of(
                            "problem driver-not-permitted 1 to 127.0.0.1:" + port + ": the driver at " + shared
                                    + " did not serve this program then; see driver-not-permitted",
                            "problem driver-not-permitted " + denied),
                    seen.lines().stream()
                            .map(line -> line.replaceAll(" +", " "))
                            .filter(line -> line.contains("driver-not-permitted"))
                            .toList());
            assertEquals(3, seen.exit(), seen::toString);
        } finally {
            delete(shared);
        }
    }

    /** Deletes a directory that JUnit does not know, because other users had to reach it. */
    private static void delete(Path directory) throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            for (Path file : files.toList()) {
                Files.delete(file);
            }
        }
        Files.delete(directory);
    }
}
