// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.client.DriverDirectory;
import io.pipedevice.client.DriverSocket;
import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.PipeDeviceDriver;
import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.jdk.Literals;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.TcpPort;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.DriverLog;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import sun.nio.ch.SelChImpl;

/** Connections of the kernel's whose data go on through the driver's device, and numbers that are not believed. */
@Tag("broker")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class DeviceIntroductionTest {
    static {
        DriverLog.quiet();
    }

    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    @TempDir
    private Path directory;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private Broker broker;
    private PipeDevice device;
    private PdSocket waiting;
    private ServerSocketChannel kernel;
    private BrokeredListener<SocketChannel> listener;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "the driver needs CAP_NET_ADMIN");
        keep(PipeDeviceDriver.launch(new DriverContext().directory(directory).path(DataPath.DEVICE)));
        broker = new Broker(DriverDirectory.at(directory)::connect, keep(new PeerNetwork()));
        broker.join();
        device = keep(PipeDevice.init(DriverDirectory.at(directory)));
        kernel = keep(ServerSocketChannel.open());
        kernel.bind(new InetSocketAddress(Literals.address("127.0.0.1"), 0));
        waiting = keep(device.listen((InetSocketAddress) kernel.getLocalAddress(), 8));
        listener = keep(broker.listen((InetSocketAddress) kernel.getLocalAddress(), null, 8, channel -> {}));
    }

    @AfterEach
    void end() throws Exception {
        while (!open.isEmpty()) {
            open.removeLast().close();
        }
    }

    private <T extends AutoCloseable> T keep(T one) {
        open.add(one);
        return one;
    }

    private static Fd socket(SocketChannel channel) throws IOException {
        return TcpPort.duplicate(((SelChImpl) channel).getFDVal(), (InetSocketAddress) channel.getLocalAddress());
    }

    /** A connection of the kernel's whose two ends have asked the driver. */
    private final class Pair {
        final SocketChannel client = keep(SocketChannel.open());
        final SocketChannel server;
        final Introduction introduction;

        Pair() throws Exception {
            client.bind(new InetSocketAddress(Literals.address("127.0.0.1"), 0));
            introduction =
                    broker.intendByDriver(((InetSocketAddress) client.getLocalAddress()).getPort(), (InetSocketAddress)
                            kernel.getLocalAddress());
            assertNotNull(introduction);
            client.connect(kernel.getLocalAddress());
            introduction.ask(socket(client), (InetSocketAddress) client.getLocalAddress(), () -> {});
            server = keep(kernel.accept());
            assertTrue(
                    listener.hold(server, socket(server), ((InetSocketAddress) server.getRemoteAddress()).getPort()));
            assertTrue(introduction.await(PATIENCE_NS));
        }

        DriverSocket connect() throws IOException {
            DriverSocket ours = (DriverSocket) keep(device.socket());
            ours.connectIntroduced((InetSocketAddress) client.getRemoteAddress(), introduction.deviceNumber());
            return ours;
        }
    }

    private static int errno(DriverSocket socket, InetSocketAddress to, long number) {
        return assertThrows(PdException.class, () -> socket.connectIntroduced(to, number))
                .errno();
    }

    @Test
    void theEndsOfAConnectionAreIntroducedAtTheDevice() throws Exception {
        listener.offer(device.containerId(), waiting.sid());
        for (int i = 0; i < 3; i++) {
            Pair pair = new Pair();
            assertNotEquals(0, pair.introduction.deviceNumber());
            DriverSocket ours = pair.connect();
            ours.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            DriverSocket theirs = (DriverSocket) keep(waiting.accept(PATIENCE_NS));
            assertEquals(pair.server, listener.claim(theirs.introduction()));
            assertNull(listener.claim(theirs.introduction()), "claimed twice");
            assertTrue(theirs.awaitReadable(PATIENCE_NS));
            ByteBuffer got = ByteBuffer.allocate(3);
            assertEquals(3, theirs.read(got));
            assertEquals(ByteBuffer.wrap(new byte[] {1, 2, 3}), got.flip());
            assertEquals(pair.client.getLocalAddress(), ours.localAddress());
            assertEquals(pair.client.getRemoteAddress(), ours.peerAddress());
            assertEquals(pair.server.getLocalAddress(), theirs.localAddress());
            assertEquals(pair.server.getRemoteAddress(), theirs.peerAddress());
        }
    }

    @Test
    void aNumberIsOfUseOnceAndToItsProcessOnly() throws Exception {
        listener.offer(device.containerId(), waiting.sid());
        assertNotEquals(0, new Pair().introduction.deviceNumber());
        try (ChildJvm thief =
                ChildJvm.start(List.of(), ChildJvm.inheritedFlags(), TicketThief.class, directory.toString())) {
            assertEquals("true", thief.expect("REFUSED"));
        }
        assertNull(waiting.accept());
        Pair pair = new Pair();
        pair.connect();
        assertEquals(
                Errno.EACCES,
                errno(
                        (DriverSocket) keep(device.socket()),
                        (InetSocketAddress) pair.client.getRemoteAddress(),
                        pair.introduction.deviceNumber()));
        assertNotNull(keep(waiting.accept(PATIENCE_NS)));
        assertNull(waiting.accept());
    }

    @Test
    void aWithdrawnNumberIsOfNoUseAndTheServerServesByTheKernel() throws Exception {
        listener.offer(device.containerId(), waiting.sid());
        Pair pair = new Pair();
        long number = pair.introduction.deviceNumber();
        pair.introduction.withdraw();
        assertEquals(0, pair.introduction.deviceNumber());
        BrokeredListener.Accepted<SocketChannel> released =
                Awaitility.await().until(listener::accept, accepted -> accepted != null);
        assertEquals(pair.server, released.kernel());
        assertNull(released.rings());
        assertEquals(
                Errno.EACCES,
                errno(
                        (DriverSocket) keep(device.socket()),
                        (InetSocketAddress) pair.client.getRemoteAddress(),
                        number));
    }

    @Test
    void withoutASocketOfTheDeviceTheConnectionStaysOnTheKernelAtBothEnds() throws Exception {
        // A socket that does not listen, then an attachment that does not exist.
        listener.offer(device.containerId(), keep(device.socket()).sid());
        assertStaysOnTheKernel(new Pair());
        listener.offer(device.containerId() + 1, waiting.sid());
        assertStaysOnTheKernel(new Pair());
        listener.offer(device.containerId(), waiting.sid());
        waiting.close();
        // The driver takes requests that were posted before a message first.
        keep(device.listen(new InetSocketAddress(Literals.address("127.0.0.1"), 0), 1));
        assertStaysOnTheKernel(new Pair());
    }

    private void assertStaysOnTheKernel(Pair pair) throws Exception {
        assertEquals(0, pair.introduction.deviceNumber());
        PeerRefusal refusal = assertThrows(
                PeerRefusal.class,
                () -> pair.introduction.connect(
                        (InetSocketAddress) pair.client.getLocalAddress(),
                        (InetSocketAddress) pair.client.getRemoteAddress(),
                        false));
        assertEquals(PeerRefusal.Reason.HANDSHAKE_FAILED, refusal.reason());
        BrokeredListener.Accepted<SocketChannel> released =
                Awaitility.await().until(listener::accept, accepted -> accepted != null);
        assertEquals(pair.server, released.kernel());
        assertEquals(PeerRefusal.Reason.HANDSHAKE_FAILED, released.reason());
    }
}
