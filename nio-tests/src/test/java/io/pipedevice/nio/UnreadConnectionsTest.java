// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.nio.stat.JvmStat;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.MemoryGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Programs that write on many connections that nobody reads, under a memory limit or a bound for their rings. */
@Tag("processes")
@Timeout(value = 180, unit = TimeUnit.SECONDS)
class UnreadConnectionsTest {
    private static final long LIMIT = 400L << 20;
    private static final int CONNECTIONS = 300;
    private static final String COUNT = Integer.toString(CONNECTIONS);
    private static final String ALL = Long.toString((long) CONNECTIONS * UnreadStreams.LENGTH);

    private static List<String> flags(String... more) {
        List<String> flags = new ArrayList<>(ChildJvm.inheritedFlags());
        flags.add("-Dpipedevice.enabled=true");
        // However busy the machine is.
        flags.add("-Dpipedevice.handshake.millis=10000");
        flags.addAll(List.of(more));
        return flags;
    }

    private static ChildJvm reader(String provider) throws IOException {
        return ChildJvm.start(List.of(), flags(), UnreadStreams.Reader.class, provider, COUNT);
    }

    private static ChildJvm writer(List<String> wrapper, String provider, String port, boolean blocking, String... more)
            throws IOException {
        return ChildJvm.start(
                wrapper, flags(more), UnreadStreams.Writer.class, provider, port, COUNT, Boolean.toString(blocking));
    }

    private static void writeUnread(MemoryGroup group, String provider, boolean blocking) throws Exception {
        try (ChildJvm reader = reader(provider);
                ChildJvm writer = writer(group.wrapper(), provider, reader.expect("PORT "), blocking)) {
            reader.expect("ACCEPTED");
            String kernel = writer.expect("KERNEL ");
            assertTrue(kernel.startsWith(provider.equals("rings") ? "0 " : COUNT), kernel);
            assertTrue(Long.parseLong(full(writer, group)) > CONNECTIONS, () -> "it said " + writer.said());
            assertTrue(group.most() < LIMIT, group.most() + " bytes");
            reader.send("");
            assertEquals(ALL, reader.expect("READ "));
            writer.expect("DONE");
            assertEquals(0, group.killed());
        }
    }

    private static String full(ChildJvm writer, MemoryGroup group) throws IOException {
        try {
            return writer.expect("FULL ");
        } catch (IOException e) {
            throw new IOException(group.killed() + " processes were killed for want of memory", e);
        }
    }

    @Test
    void overTcpNonBlockingWritersAreNotKilled() throws Exception {
        try (MemoryGroup group = MemoryGroup.of(LIMIT)) {
            writeUnread(group, "jdk", false);
        }
    }

    @Test
    void nonBlockingWritersThatNobodyReadsAreNotKilled() throws Exception {
        try (MemoryGroup group = MemoryGroup.of(LIMIT)) {
            writeUnread(group, "rings", false);
        }
    }

    @Test
    void blockingWritersThatNobodyReadsAreNotKilled() throws Exception {
        try (MemoryGroup group = MemoryGroup.of(LIMIT)) {
            writeUnread(group, "rings", true);
        }
    }

    @Test
    void theSmallestLimitOfNestedGroupsCounts() throws Exception {
        try (MemoryGroup outer = MemoryGroup.of(LIMIT);
                MemoryGroup inner = outer.within(64L << 30)) {
            writeUnread(inner, "rings", false);
            assertEquals(0, outer.killed());
        }
    }

    @Test
    void connectionsWithoutMemoryStayOnTheKernelAndAllMemoryComesBack() throws Exception {
        try (ChildJvm reader = reader("rings");
                ChildJvm writer =
                        writer(List.of(), "rings", reader.expect("PORT "), false, "-Dpipedevice.rings.max=1m")) {
            reader.expect("ACCEPTED");
            String kernel = writer.expect("KERNEL ");
            assertTrue(kernel.endsWith(" kernel (no memory)]]"), kernel);
            int count = Integer.parseInt(kernel.substring(0, kernel.indexOf(' ')));
            assertTrue(count > 0 && count < CONNECTIONS / 2, kernel);
            writer.expect("FULL ");
            JvmStat full = JvmStat.of((int) writer.pid());
            assertNotNull(full);
            assertEquals(1 << 20, full.ringBudget());
            assertTrue(full.ringBytes() > 512 << 10 && full.ringBytes() < 3 << 19, full::toString);
            assertTrue(full.growthsRefused() > 0, full::toString);
            reader.send("");
            assertEquals(ALL, reader.expect("READ "));
            writer.expect("DONE");
            // The server closes its listener: the link ends.
            reader.send("");
            await().until(() -> JvmStat.of((int) writer.pid()).ringBytes() == 0);
        }
    }

    @Test
    void memoryThatComesBackLetsAWriterGoOnThatNobodyReads() throws Exception {
        PipeDeviceSelectorProvider provider = new PipeDeviceSelectorProvider();
        try (ServerSocketChannel server = provider.openServerSocketChannel()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (ChildJvm writer = ChildJvm.start(
                    List.of(),
                    flags("-Dpipedevice.rings.max=1m"),
                    UnreadStreams.LastWriter.class,
                    Integer.toString(server.socket().getLocalPort()))) {
                List<SocketChannel> accepted = new ArrayList<>();
                for (int i = 0; i <= UnreadStreams.OTHERS; i++) {
                    accepted.add(server.accept());
                }
                writer.expect("WAITS");
                assertFalse(writer.hasSaid("WROTE"));
                for (SocketChannel other : accepted.subList(0, UnreadStreams.OTHERS)) {
                    other.close();
                }
                writer.send("");
                writer.expect("WROTE");
                try (SocketChannel last = accepted.getLast()) {
                    ByteBuffer buffer = ByteBuffer.allocate(UnreadStreams.LAST);
                    while (buffer.hasRemaining() && last.read(buffer) >= 0) {
                        Thread.onSpinWait();
                    }
                    assertEquals(UnreadStreams.LAST, buffer.position());
                }
            }
        }
    }
}
