// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.client.DriverDirectory;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.Intruder;
import io.pipedevice.linux.Memory;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.test.ChildJvm;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.foreign.Arena;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The memory that each process can write, as the kernel reports it: a driver and two connected processes. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class IsolationTest {
    private static final String OURS = "/memfd:pd-";

    @TempDir
    private Path directory;

    private ChildJvm driver;
    private ChildJvm server;
    private ChildJvm client;

    @BeforeEach
    void start() throws IOException {
        driver = ChildJvm.start(Inmate.class, "driver", directory.toString());
        driver.expect("READY");
        server = ChildJvm.start(Inmate.class, "server", directory.toString());
        client = ChildJvm.start(Inmate.class, "client", directory.toString(), server.expect("PORT"));
        client.expect("READY");
        server.expect("READY");
    }

    @AfterEach
    void end() {
        for (ChildJvm child : new ChildJvm[] {client, server, driver}) {
            if (child != null) {
                child.close();
            }
        }
    }

    @Test
    void everyObjectIsWritableInItsOwnersProcessOnly() throws IOException {
        Map<String, Set<Long>> writers = new HashMap<>();
        Map<String, Set<Long>> readers = new HashMap<>();
        for (ChildJvm child : List.of(driver, server, client)) {
            for (ProcessFacts.MapEntry mapping : ProcessFacts.maps((int) child.pid())) {
                if (mapping.path().startsWith(OURS)) {
                    Map<String, Set<Long>> users = mapping.perms().charAt(1) == 'w' ? writers : readers;
                    users.computeIfAbsent(mapping.inode() + " " + mapping.path(), key -> new HashSet<>())
                            .add(child.pid());
                }
            }
        }
        Set<String> shared = new HashSet<>();
        writers.forEach((object, users) -> {
            boolean process = object.contains("pd-lib-page") || object.contains("pd-send");
            assertEquals(1, users.size(), object);
            assertEquals(!process, users.contains(driver.pid()), object);
            if (readers.containsKey(object)) {
                shared.add(object.replaceAll(".*memfd:pd-|-?[0-9]* .*", ""));
                assertTrue(!readers.get(object).contains(users.iterator().next()), object);
            }
        });
        assertEquals(Set.of("lib-page", "send", "driver-page", "receive", "status"), shared);
        assertTrue(writers.keySet().containsAll(readers.keySet()), () -> readers + " and " + writers);
    }

    @Test
    void twoProcessesHaveNothingInCommonButTheStatusPage() throws IOException {
        Map<String, String> common = objects(server.pid());
        common.keySet().retainAll(objects(client.pid()).keySet());
        assertEquals(Set.of("/memfd:pd-status (deleted)"), Set.copyOf(common.values()));
    }

    /** Every memory object that a process has mapped, or has a descriptor of, by its inode. */
    private static Map<String, String> objects(long pid) throws IOException {
        Map<String, String> objects = ProcessFacts.maps((int) pid).stream()
                .filter(mapping -> mapping.path().startsWith(OURS))
                .collect(Collectors.toMap(
                        mapping -> Long.toString(mapping.inode()), ProcessFacts.MapEntry::path, (one, other) -> one));
        try (DirectoryStream<Path> fds = Files.newDirectoryStream(Path.of("/proc", Long.toString(pid), "fd"))) {
            for (Path fd : fds) {
                String target = Files.readSymbolicLink(fd).toString();
                if (target.startsWith(OURS)) {
                    objects.put(Files.getAttribute(fd, "unix:ino").toString(), target);
                }
            }
        } catch (NoSuchFileException e) {
            throw new IOException("a descriptor of a process that does nothing came or went", e);
        }
        return objects;
    }

    @Test
    void nothingThatLinuxOffersChangesAnObjectOfAnother() throws IOException {
        for (ChildJvm child : List.of(driver, server, client)) {
            child.send("intrude");
            String result = child.expect("INTRUDED");
            assertTrue(result.matches("[1-9][0-9]+ attempts, not refused: \\[\\]"), result);
        }
    }

    /**
     * Shows that the attempts succeed on an object that is not sealed; otherwise the previous test would prove nothing.
     */
    @Test
    void theSameAttemptsChangeAnObjectThatIsNotSealed() throws IOException {
        String name = "not-sealed-" + ProcessHandle.current().pid();
        try (Fd fd = Memory.memfd(name, Memory.PageSize.NORMAL);
                Arena arena = Arena.ofConfined()) {
            Memory.resize(fd, Memory.pageSize());
            Memory.map(fd, 0, Memory.pageSize(), true, arena);
            Memory.map(fd, 0, Memory.pageSize(), false, arena);
            String result = Intruder.tryAll(name);
            for (String attempt : List.of(
                    "mmap",
                    "to nothing",
                    "to more",
                    "a hole",
                    "write",
                    "seals",
                    "reopened",
                    "mprotect",
                    "hole in the")) {
                assertTrue(result.contains(attempt), () -> attempt + ": " + result);
            }
        }
    }

    /** A driver, or one end of a connection, that becomes hostile on command. */
    static final class Inmate {
        private Inmate() {}

        @SuppressWarnings("try")
        public static void main(String[] arguments) throws IOException {
            Path directory = Path.of(arguments[1]);
            if (arguments[0].equals("driver")) {
                try (PipeDeviceDriver driver = PipeDeviceDriver.launch(new DriverContext().directory(directory))) {
                    intrude();
                }
                return;
            }
            try (PipeDevice device = PipeDevice.init(DriverDirectory.at(directory));
                    PdSocket socket = device.socket()) {
                if (arguments[0].equals("client")) {
                    socket.connect(TestDriver.loopback(Integer.parseInt(arguments[2])));
                    intrude();
                } else {
                    socket.bind(TestDriver.loopback(0));
                    socket.listen(1);
                    System.out.println("PORT " + socket.localAddress().getPort());
                    try (PdSocket accepted = socket.accept(TestDriver.PATIENCE_NS)) {
                        intrude();
                    }
                }
            }
        }

        private static void intrude() throws IOException {
            System.out.println("READY");
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            while (input.readLine() != null) {
                System.out.println("INTRUDED " + Intruder.tryAll("pd-"));
            }
        }
    }
}
