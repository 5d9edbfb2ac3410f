// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.client.DriverDirectory;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.HugePages;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.ReceivedFds;
import io.pipedevice.linux.UnixAddress;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.DriverLog;
import io.pipedevice.test.ReadableClassPath;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process that lacks a resource gets one clear error, and works again when the resource is available. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class ExhaustionTest {
    private static final int OTHER_VERSION = ControlMessage.VERSION + 1;

    private static final List<String> NOBODY = List.of("setpriv", "--reuid=65533", "--regid=65533", "--clear-groups");

    @TempDir
    private Path directory;

    @Test
    void aProcessWithoutDescriptorsGetsErrorsUntilItHasSome() throws IOException {
        try (TestDriver driver = new TestDriver();
                ChildJvm poor = ChildJvm.start(
                        List.of("prlimit", "--nofile=128:128"),
                        List.of(),
                        PoorProcess.class,
                        driver.directory.toString())) {
            assertEquals(0, poor.awaitEnd(), () -> "it said " + poor.said());
            assertTrue(poor.hasSaid("DONE"), () -> "it said " + poor.said());
            assertFalse(poor.hasSaid("WRONG"), () -> "it said " + poor.said());
            List<String> failures =
                    poor.said().stream().filter(line -> line.contains(" x ")).toList();
            assertTrue(failures.stream().anyMatch(line -> line.contains(" x attach: ")), () -> "it said " + failures);
            assertTrue(failures.stream().anyMatch(line -> line.contains(" x use: ")), () -> "it said " + failures);
            for (String failure : failures) {
                assertTrue(failure.matches(".*: EMFILE .*(descriptor|open files).*"), failure);
            }
            driver.awaitNothingLeft();
        }
    }

    @Test
    void aDriverWithoutDescriptorsRefusesAndGoesOnServing() throws Exception {
        try (ChildJvm driver = DriverProcess.start(directory);
                RawPair pair = new RawPair(
                        RawClient.attach(TestDriver.endpoint(directory)),
                        RawClient.attach(TestDriver.endpoint(directory)))) {
            pair.client.doorbell();
            pair.server.doorbell();
            int before = TestFds.kernelObjects(driver.pid());
            limitDescriptors(driver, ProcessFacts.openFds((int) driver.pid()) + 12);
            ArrayDeque<PipeDevice> attached = new ArrayDeque<>();
            try {
                PdException refused = assertThrows(PdException.class, () -> attachAlways(attached));
                assertEquals(Errno.EMFILE, refused.errno(), () -> refused.getMessage() + "; driver: " + driver.said());
                pair.exchange();
            } finally {
                attached.forEach(PipeDevice::close);
            }
            // The driver also restores its reserved descriptor when it admits a process.
            TestDriver.await("room for another", this::attaches);
            TestDriver.await(
                    "the driver's descriptors to be no more than " + before,
                    () -> TestFds.kernelObjects(driver.pid()) <= before,
                    () -> "they are " + TestFds.kernelObjects(driver.pid()));
            RawException poor = assertThrows(RawException.class, () -> connectAlways(pair));
            assertEquals(Errno.EMFILE, poor.errno, poor.getMessage());
            pair.exchange();
        }
    }

    private static void limitDescriptors(ChildJvm child, int limit) throws Exception {
        String[] command = {"prlimit", "--pid", Long.toString(child.pid()), "--nofile=" + limit};
        assertEquals(0, new ProcessBuilder(command).inheritIO().start().waitFor());
    }

    private boolean attaches() {
        try (PipeDevice device = PipeDevice.init(DriverDirectory.at(directory))) {
            return device.containerId() >= 0;
        } catch (PdException e) {
            assertEquals(Errno.EMFILE, e.errno(), e.getMessage());
            return false;
        }
    }

    private void attachAlways(ArrayDeque<PipeDevice> attached) throws PdException {
        while (true) {
            attached.add(PipeDevice.init(DriverDirectory.at(directory)));
        }
    }

    @Test
    void aLogThatCannotBeWrittenDoesNotEndTheDriver() throws IOException {
        try (DriverLog log = new DriverLog();
                TestDriver driver = new TestDriver();
                RawPair pair = new RawPair(driver);
                RawClient hostile = driver.attach()) {
            log.failing(true);
            hostile.control.send(new byte[100]);
            TestDriver.await("a line", () -> log.failures() >= 1);
            log.failing(false);
            assertTrue(hostile.control.awaitEnd(30_000));
            pair.exchange();
        }
    }

    private static void connectAlways(RawPair pair) throws IOException {
        while (true) {
            pair.client.socket().connect(pair.listener.local);
        }
    }

    @Test
    void aFileIsNoDirectoryOfADriver() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));
        for (Path wrong : List.of(file, file.resolve("below"))) {
            IOException refused = assertThrows(
                    IOException.class, () -> PipeDeviceDriver.launch(new DriverContext().directory(wrong)));
            assertTrue(
                    refused.getMessage().startsWith("the driver's directory " + wrong + " cannot be written"),
                    refused.getMessage());
            PdException absent = assertThrows(PdException.class, () -> PipeDevice.init(DriverDirectory.at(wrong)));
            assertTrue(absent.getMessage().contains(wrong.toString()), absent.getMessage());
        }
    }

    @Test
    void anotherUsersDirectoryIsNotWritable() throws IOException {
        String problem = asNobody("driver", "rwxr-xr-x");
        assertTrue(problem.startsWith("the driver's directory " + place() + " cannot be written: "), problem);
    }

    @Test
    void anotherUsersDriverIsNotReached() throws IOException {
        Path place = Files.createDirectory(place());
        try (ChildJvm driver = DriverProcess.start(place)) {
            assertTrue(driver.isAlive());
            String problem = asNobody("lib", "rwx------");
            assertTrue(problem.startsWith("EACCES user "), problem);
            assertTrue(problem.contains(" may not search " + place + " "), problem);
        }
    }

    /** A driver sees all data, so it must belong to this user or to root. */
    @Test
    void aDriverOfAnotherUserIsNotTrusted() throws IOException {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "only root may become another user");
        Path place = Files.createDirectory(place());
        Files.setPosixFilePermissions(place, PosixFilePermissions.fromString("rwxrwxrwx"));
        try (ChildJvm child = ChildJvm.start(
                NOBODY, List.of(), ReadableClassPath.in(directory), Nobody.class, "listener", place.toString())) {
            child.expect("LISTENS");
            PdException refused = assertThrows(PdException.class, () -> PipeDevice.init(DriverDirectory.at(place)));
            assertEquals(Errno.EACCES, refused.errno(), refused.getMessage());
            assertTrue(
                    refused.getMessage().endsWith("is user 65533's, not this user's or root's"), refused.getMessage());
        }
    }

    private Path place() {
        return directory.resolve("place");
    }

    /** Runs a role as another user, in a directory with these permissions; returns its output. */
    private String asNobody(String role, String rights) throws IOException {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "only root may become another user");
        Path place = Files.exists(place()) ? place() : Files.createDirectory(place());
        Files.setPosixFilePermissions(place, PosixFilePermissions.fromString(rights));
        try (ChildJvm child = ChildJvm.start(
                NOBODY, List.of(), ReadableClassPath.in(directory), Nobody.class, role, place.toString())) {
            String problem = child.expect("TOLD");
            assertEquals(0, child.awaitEnd());
            return problem;
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {16, ControlMessage.LENGTH, 2 * ControlMessage.LENGTH})
    void aDriverOfAnotherVersionIsNamedWithBothVersions(int length) throws Exception {
        UnixAddress address = UnixAddress.path(directory.resolve(DriverDirectory.SOCKET_NAME));
        try (UnixSocket listener = UnixSocket.listen(UnixSocket.Type.SEQPACKET, address, 1)) {
            Thread driver = new Thread(() -> answer(listener, length), "driver of another version");
            driver.start();
            PdException refused = assertThrows(PdException.class, () -> PipeDevice.init(DriverDirectory.at(directory)));
            driver.join();
            assertEquals(Errno.EPROTO, refused.errno(), refused.getMessage());
            assertTrue(
                    refused.getMessage()
                            .contains("PD Driver speaks version " + OTHER_VERSION
                                    + " of the protocol, this PD Lib version " + ControlMessage.VERSION),
                    refused.getMessage());
        }
    }

    /** Refuses one request as a driver of a version whose messages may have another length. */
    private static void answer(UnixSocket listener, int length) {
        ControlMessage message = new ControlMessage();
        ReceivedFds fds = new ReceivedFds();
        try (UnixSocket socket = listener.accept();
                Arena arena = Arena.ofConfined()) {
            socket.receive(message.memory(), 0, ControlMessage.LENGTH, fds, true);
            fds.closeAll();
            message.fail(Errno.EPROTO, "no");
            message.memory().set(ValueLayout.JAVA_SHORT, 4, (short) OTHER_VERSION);
            MemorySegment record = arena.allocate(length);
            record.copyFrom(message.memory().asSlice(0, Math.min(length, ControlMessage.LENGTH)));
            socket.sendBlocking(record, 0, length);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void withoutHugePagesNormalOnesServeAndTheLogSaysSo() throws IOException {
        assumeTrue(HugePages.free2M() == 0, "huge pages are free");
        try (DriverLog log = new DriverLog();
                TestDriver driver =
                        new TestDriver(new DriverContext().directory(directory).hugePages(true));
                RawPair pair = new RawPair(driver)) {
            pair.exchange();
            assertTrue(log.has(Level.INFO, "no huge page of 2 MB is free"), () -> "log: " + log.messages(Level.INFO));
        }
        try (DriverLog log = new DriverLog();
                TestDriver driver = new TestDriver(new DriverContext().hugePages(false))) {
            assertFalse(log.has(Level.INFO, "huge page of"), () -> driver.driver + " logs a line about huge pages");
        }
    }

    /** Tries to be a driver, or attaches to one, or only listens in place of one. */
    static final class Nobody {
        private Nobody() {}

        private static void listen(Path place) throws IOException {
            UnixAddress address = UnixAddress.path(place.resolve(DriverDirectory.SOCKET_NAME));
            try (UnixSocket listener = UnixSocket.listen(UnixSocket.Type.SEQPACKET, address, 16)) {
                // Root may connect regardless of the umask.
                System.out.println("LISTENS " + listener.fd());
                System.in.read();
            }
        }

        @SuppressWarnings("try")
        public static void main(String[] arguments) throws IOException {
            Path place = Path.of(arguments[1]);
            if (arguments[0].equals("listener")) {
                listen(place);
                return;
            }
            try (AutoCloseable started = arguments[0].equals("driver")
                    ? PipeDeviceDriver.launch(new DriverContext().directory(place))
                    : PipeDevice.init(DriverDirectory.at(place))) {
                System.out.println("TOLD nothing");
            } catch (PdException e) {
                System.out.println("TOLD " + Errno.name(e.errno()) + " " + e.getMessage());
            } catch (Exception e) {
                System.out.println("TOLD " + e.getMessage());
            }
        }
    }
}
