// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class PeerProcessTest {
    private static final Path LAST_PID = Path.of("/proc/sys/kernel/ns_last_pid");

    @TempDir
    private Path directory;

    @Test
    void theOtherEndOfAPairIsThisProcess() throws IOException {
        UnixSocket[] pair = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        try (UnixSocket one = pair[0];
                UnixSocket other = pair[1]) {
            for (boolean byDescriptor : new boolean[] {true, false}) {
                try (PeerProcess process = PeerProcess.of(one, byDescriptor)) {
                    assertEquals(ProcessFacts.self(), process.pid());
                    process.requireSame();
                }
            }
            assertTrue(other.sinceTicks() >= ProcessFacts.startTime(0));
        }
    }

    /** In a PID namespace of its own, where a process can be given the number of another one. */
    @Test
    void aProcessThatGotTheNumberOfTheOneThatConnectedIsNotTakenForIt() throws IOException {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "only root has PID namespaces of its own here");
        assumeTrue(Files.isWritable(LAST_PID), "this kernel does not let root choose numbers of processes");
        List<String> wrapper = List.of("unshare", "--pid", "--fork", "--kill-child", "--mount-proc");
        try (ChildJvm judge = ChildJvm.start(
                wrapper, List.of(), Judge.class, directory.resolve("socket").toString())) {
            judge.expect("DONE");
        }
    }

    /** Accepts a connection of a process that ends, and gives its number to another one. */
    static final class Judge {
        public static void main(String[] arguments) throws Exception {
            UnixAddress address = UnixAddress.path(Path.of(arguments[0]));
            // Holds the client's end.
            ReceivedFds kept = new ReceivedFds();
            try (UnixSocket listener = UnixSocket.listen(UnixSocket.Type.SEQPACKET, address, 8)) {
                ChildJvm client = ChildJvm.start(Client.class, arguments[0]);
                try (UnixSocket way = listener.accept();
                        UnixSocket connection = listener.accept();
                        Arena arena = Arena.ofConfined()) {
                    try (PeerProcess process = PeerProcess.of(connection, false)) {
                        assertEquals(client.pid(), process.pid());
                        process.requireSame();
                        assertEquals(1, way.receive(arena.allocate(1), 0, 1, kept, true));
                        client.send("end");
                        client.awaitEnd();
                        assertThrows(IOException.class, process::requireSame, "the process has ended");
                        assertThrows(IOException.class, () -> PeerProcess.of(connection, false));
                        Process other = successor(client.pid());
                        try {
                            assertEquals(
                                    client.pid(), connection.peerCredentials().pid(), "as the kernel says");
                            assertThrows(IOException.class, process::requireSame, "another process has its number");
                            assertThrows(IOException.class, () -> PeerProcess.of(connection, false));
                            assertThrows(IOException.class, () -> askByDescriptor(connection));
                        } finally {
                            other.destroyForcibly().waitFor();
                        }
                    }
                }
            } finally {
                kept.closeAll();
            }
            System.out.println("DONE");
        }

        private static void askByDescriptor(UnixSocket connection) throws IOException {
            try (PeerProcess process = PeerProcess.of(connection)) {
                process.requireSame();
            }
        }

        /** A process with a number that is free. */
        private static Process successor(long pid) throws Exception {
            while (true) {
                Files.writeString(LAST_PID, Long.toString(pid - 1));
                Process process = new ProcessBuilder("sleep", "1000").start();
                if (process.pid() == pid) {
                    return process;
                }
                process.destroyForcibly().waitFor();
            }
        }
    }

    /** Connects, passes its end on, and ends with its input. */
    static final class Client {
        public static void main(String[] arguments) throws IOException {
            UnixAddress address = UnixAddress.path(Path.of(arguments[0]));
            UnixSocket way = UnixSocket.connect(UnixSocket.Type.SEQPACKET, address);
            UnixSocket connection = UnixSocket.connect(UnixSocket.Type.SEQPACKET, address);
            try (Arena arena = Arena.ofConfined()) {
                MemorySegment one = arena.allocate(1);
                way.send(one, 0, 1, connection.fd());
            }
            System.in.read();
        }
    }
}
