// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.stat;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.openmbean.TabularData;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The counters are those of the whole JVM, so the tests compare them with their earlier values. */
@Timeout(60)
class StatisticsTest {
    private static final InetSocketAddress LOCAL = new InetSocketAddress(InetAddress.getLoopbackAddress(), 4711);
    private static final InetSocketAddress REMOTE = new InetSocketAddress(InetAddress.getLoopbackAddress(), 4712);

    /** The page is published by the first use. */
    @BeforeAll
    static void pageIsPublished() {
        assertNull(Statistics.whyUnpublished());
    }

    @Test
    void connectionIsOpenUntilItsFirstClose() {
        long client = Statistics.connectedAsClient();
        long accepted = Statistics.accepted();
        long open = Statistics.open();
        ConnectionRecord one = Statistics.connected(true, RingPath.DIRECT);
        ConnectionRecord two = Statistics.connected(false, RingPath.DIRECT);
        assertEquals(client + 1, Statistics.connectedAsClient());
        assertEquals(accepted + 1, Statistics.accepted());
        assertEquals(open + 2, Statistics.open());
        one.closed(LOCAL, REMOTE);
        one.closed(LOCAL, REMOTE);
        assertEquals(open + 1, Statistics.open());
        two.closed(LOCAL, REMOTE);
        assertEquals(open, Statistics.open());
        assertEquals(client + 1, Statistics.connectedAsClient());
    }

    @Test
    void connectionCountsForItsPath() {
        long direct = Statistics.direct();
        long device = Statistics.throughDevice();
        ConnectionRecord one = Statistics.connected(true, RingPath.DIRECT);
        ConnectionRecord two = Statistics.connected(false, RingPath.DEVICE);
        assertEquals(direct + 1, Statistics.direct());
        assertEquals(device + 1, Statistics.throughDevice());
        assertEquals("direct rings, 0 bytes sent, 0 received", one.toString());
        assertEquals("device rings, 0 bytes sent, 0 received", two.toString());
        JvmStat seen = JvmStat.of((int) ProcessHandle.current().pid());
        assertEquals(Statistics.direct(), seen.direct());
        assertEquals(Statistics.throughDevice(), seen.device());
        one.closed(LOCAL, REMOTE);
        two.closed(LOCAL, REMOTE);
    }

    @Test
    void connectionOnTheKernelCountsForItsReasonAlone() {
        long open = Statistics.open();
        long sent = Statistics.bytesSent();
        long memory = Statistics.onKernelBecause(KernelReason.NO_MEMORY);
        long full = Statistics.onKernelBecause(KernelReason.BACKLOG_FULL);
        ConnectionRecord connection = Statistics.onKernel(KernelReason.NO_MEMORY);
        connection.sent(1000);
        assertEquals(memory + 1, Statistics.onKernelBecause(KernelReason.NO_MEMORY));
        assertEquals(full, Statistics.onKernelBecause(KernelReason.BACKLOG_FULL));
        assertEquals(open, Statistics.open());
        assertEquals(sent, Statistics.bytesSent());
        assertEquals(1000, connection.bytesSent());
        connection.closed(LOCAL, REMOTE);
        assertEquals(open, Statistics.open());
    }

    @Test
    void bytesOfManyThreadsAddUp() throws Exception {
        long sent = Statistics.bytesSent();
        long received = Statistics.bytesReceived();
        Callable<ConnectionRecord> work = () -> {
            ConnectionRecord connection = Statistics.connected(true, RingPath.DIRECT);
            for (int i = 0; i < 10_000; i++) {
                connection.sent(3);
                connection.received(5);
            }
            connection.closed(null, null);
            return connection;
        };
        List<Future<ConnectionRecord>> all = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            for (int i = 0; i < 40; i++) {
                all.add(threads.submit(work));
            }
        }
        assertEquals(sent + 40 * 30_000, Statistics.bytesSent());
        assertEquals(received + 40 * 50_000, Statistics.bytesReceived());
        for (Future<ConnectionRecord> one : all) {
            assertEquals(30_000, one.get().bytesSent());
            assertEquals(50_000, one.get().bytesReceived());
        }
    }

    @Test
    void otherProcessesReadTheSameNumbers() {
        ConnectionRecord connection = Statistics.connected(true, RingPath.DIRECT);
        connection.sent(12345);
        Statistics.onKernel(KernelReason.OTHER_USER);
        JvmStat seen = JvmStat.of((int) ProcessHandle.current().pid());
        assertNotNull(seen);
        assertEquals(ProcessHandle.current().pid(), seen.ownPid());
        assertEquals(Statistics.connectedAsClient(), seen.client());
        assertEquals(Statistics.accepted(), seen.accepted());
        assertEquals(Statistics.open(), seen.open());
        assertEquals(Statistics.bytesSent(), seen.bytesSent());
        assertEquals(Statistics.bytesReceived(), seen.bytesReceived());
        assertEquals(
                Statistics.onKernelBecause(KernelReason.OTHER_USER),
                seen.onKernel().get("other user"));
        connection.closed(LOCAL, REMOTE);
    }

    @Test
    void otherProcessesReadWhatPeersCause() {
        JvmStat before = JvmStat.of((int) ProcessHandle.current().pid());
        assertNotNull(before);
        Statistics.peerMonitor().mapped(3);
        Statistics.peerMonitor().mapped(-1);
        Statistics.peerMonitor().ringRefused();
        JvmStat after = JvmStat.of((int) ProcessHandle.current().pid());
        assertEquals(before.mapped() + 2, after.mapped());
        assertEquals(before.ringsRefused() + 1, after.ringsRefused());
        Statistics.peerMonitor().mapped(-2);
    }

    @Test
    void beanIsRegisteredAtTheFirstConnectionAfterTheServerCameUp() throws Exception {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ConnectionRecord connection = Statistics.connected(false, RingPath.DIRECT);
        ObjectName name = new ObjectName(PipeDeviceMXBean.NAME);
        assertEquals(Statistics.accepted(), server.getAttribute(name, "Accepted"));
        assertEquals(Statistics.connectedAsClient(), server.getAttribute(name, "ConnectedAsClient"));
        assertEquals(Statistics.open(), server.getAttribute(name, "OpenConnections"));
        assertEquals(Statistics.bytesSent(), server.getAttribute(name, "BytesSent"));
        assertEquals(Statistics.bytesReceived(), server.getAttribute(name, "BytesReceived"));
        assertEquals(Statistics.writesCut(), server.getAttribute(name, "WritesCutShort"));
        assertEquals(Statistics.writesWaited(), server.getAttribute(name, "WritesThatWaited"));
        TabularData reasons = (TabularData) server.getAttribute(name, "OnKernel");
        assertEquals(KernelReason.values().length, reasons.size());
        connection.closed(LOCAL, REMOTE);
    }

    @Test
    void eachConnectionIsRecordedAsAnEventAtItsEnd(@TempDir Path dir) throws Exception {
        Path file = dir.resolve("connections.jfr");
        try (Recording recording = new Recording()) {
            recording.enable("io.pipedevice.Connection");
            recording.start();
            ConnectionRecord rings = Statistics.connected(true, RingPath.DIRECT);
            rings.sent(7);
            rings.received(8);
            rings.writeIsCutShort();
            rings.writeWaits();
            rings.writeWaits();
            rings.closed(LOCAL, REMOTE);
            Statistics.onKernel(KernelReason.PEER_NOT_LOCAL).closed(null, null);
            recording.stop();
            recording.dump(file);
        }
        List<RecordedEvent> events = RecordingFile.readAllEvents(file);
        assertEquals(2, events.size(), events::toString);
        RecordedEvent rings = events.get(0);
        assertEquals("io.pipedevice.Connection", rings.getEventType().getName());
        assertEquals(
                Map.of("local", LOCAL.toString(), "remote", REMOTE.toString()),
                Map.of("local", rings.getString("localAddress"), "remote", rings.getString("remoteAddress")));
        assertEquals(7, rings.getLong("bytesSent"));
        assertEquals(8, rings.getLong("bytesReceived"));
        assertEquals(1, rings.getLong("writesCut"));
        assertEquals(2, rings.getLong("writesWaited"));
        assertEquals(true, rings.getBoolean("accelerated"));
        assertNull(rings.getString("kernelReason"));
        RecordedEvent kernel = events.get(1);
        assertEquals(false, kernel.getBoolean("accelerated"));
        assertEquals("PEER_NOT_LOCAL", kernel.getString("kernelReason"));
    }
}
