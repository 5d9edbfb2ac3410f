// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Threads that have read hold no direct memory, however many there are. */
@Timeout(120)
class ManyReadersTest {
    private static final int THREADS = 100_000;
    private static final int CONNECTIONS = 1000;
    private static final int DIRECT_MB = 16;

    @Test
    void threadsThatHaveWaitedInAReadHoldNoDirectMemory() throws IOException, InterruptedException {
        List<String> flags = new ArrayList<>(ChildJvm.inheritedFlags());
        flags.add("-XX:MaxDirectMemorySize=" + DIRECT_MB + "m");
        flags.add("-Xmx1g");
        try (ChildJvm program = ChildJvm.start(List.of(), flags, Program.class)) {
            assertEquals(
                    Integer.toString(THREADS),
                    program.expect("READ"),
                    () -> program.said().toString());
            long direct = Long.parseLong(program.expect("DIRECT"));
            assertTrue(direct < DIRECT_MB << 18, () -> direct + " bytes of direct memory");
            assertEquals(0, program.awaitEnd());
        }
    }

    /** The same number of threads wait on each connection in turn, and stay alive after they have read their byte. */
    static final class Program {
        private Program() {}

        public static void main(String[] args) throws Exception {
            List<Connection> connections = new ArrayList<>();
            try (ServerSocketChannel listener = Providers.PIPEDEVICE.openServerSocketChannel()) {
                listener.bind(Contract.loopback(0));
                for (int i = 0; i < CONNECTIONS; i++) {
                    SocketChannel client = Providers.PIPEDEVICE.openSocketChannel();
                    client.connect(listener.getLocalAddress());
                    Connection connection = new Connection(client, listener.accept());
                    Transports.check(Pairing.PIPEDEVICE, connection);
                    connections.add(connection);
                }
            }
            AtomicReference<Throwable> failure = new AtomicReference<>();
            CountDownLatch end = new CountDownLatch(1);
            int read = 0;
            while (read < THREADS && failure.get() == null) {
                read += round(connections, failure, end);
            }
            System.out.println("READ " + (failure.get() == null ? read : failure));
            System.out.println("DIRECT "
                    + ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                            .filter(pool -> pool.getName().equals("direct"))
                            .mapToLong(BufferPoolMXBean::getMemoryUsed)
                            .sum());
            end.countDown();
        }

        private static int round(List<Connection> connections, AtomicReference<Throwable> failure, CountDownLatch end)
                throws Exception {
            CountDownLatch done = new CountDownLatch(connections.size());
            for (Connection connection : connections) {
                Thread.ofVirtual().start(() -> {
                    try {
                        Bytes.receive(connection.server(), 1);
                    } catch (Throwable e) {
                        failure.set(e);
                    } finally {
                        done.countDown();
                    }
                    await(end);
                });
            }
            for (Connection connection : connections) {
                connection.client().write(ByteBuffer.wrap(new byte[1]));
            }
            done.await();
            return connections.size();
        }

        private static void await(CountDownLatch end) {
            try {
                end.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
