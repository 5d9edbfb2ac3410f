// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.client.DriverDirectory;
import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.PipeDeviceDriver;
import io.pipedevice.driver.account.AccountFile;
import io.pipedevice.driver.account.Statement;
import io.pipedevice.driver.account.Tally;
import io.pipedevice.jdk.Literals;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.Memory;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.TcpPort;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.link.LinkSide;
import io.pipedevice.peer.link.MeteredLink;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkPages;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.test.DriverLog;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import sun.nio.ch.SelChImpl;

/** What a program writes into its own memory of a direct link, and what it shows to the driver, that is not true. */
@Tag("broker")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class HostileLinkTest {
    static {
        DriverLog.quiet();
    }

    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

    @TempDir
    private Path directory;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private Broker servers;
    private Broker clients;
    private PeerSocket ours;
    private PeerSocket theirs;

    /** The client's side of the link. */
    private LinkSide link;

    @BeforeEach
    void connect() throws Exception {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "the driver needs CAP_NET_ADMIN");
        keep(PipeDeviceDriver.launch(new DriverContext().directory(directory)));
        servers = new Broker(DriverDirectory.at(directory)::connect, keep(new PeerNetwork()));
        clients = new Broker(DriverDirectory.at(directory)::connect, keep(new PeerNetwork()));
        clients.join();
        servers.join();
        ServerSocketChannel kernel = keep(ServerSocketChannel.open());
        kernel.bind(new InetSocketAddress(Literals.address("127.0.0.1"), 0));
        BrokeredListener<SocketChannel> listener =
                keep(servers.listen((InetSocketAddress) kernel.getLocalAddress(), null, 8, HostileLinkTest::close));
        SocketChannel client = keep(SocketChannel.open());
        client.bind(new InetSocketAddress(Literals.address("127.0.0.1"), 0));
        InetSocketAddress local = (InetSocketAddress) client.getLocalAddress();
        Introduction introduction =
                clients.intendByDriver(local.getPort(), (InetSocketAddress) kernel.getLocalAddress());
        assertNotNull(introduction);
        client.connect(kernel.getLocalAddress());
        SocketChannel accepted = keep(kernel.accept());
        assertTrue(listener.hold(accepted, socket(accepted), local.getPort()));
        introduction.ask(socket(client), local, () -> {});
        assertTrue(introduction.await(PATIENCE_NS));
        ours = keep(introduction.connect(local, (InetSocketAddress) client.getRemoteAddress(), false));
        await("the connection", () -> {
            BrokeredListener.Accepted<SocketChannel> arrived = listener.accept();
            theirs = arrived == null ? null : keep(arrived.rings());
            return theirs != null;
        });
        link = (LinkSide) clients.links().all().iterator().next();
        ours.write(ByteBuffer.allocate(100));
        assertEquals(100, theirs.read(ByteBuffer.allocate(1000)));
        await("the account", () -> total(Tally.DIRECT_SENT) == 100 && total(Tally.DIRECT_RECEIVED) == 100);
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

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private static Fd socket(SocketChannel channel) throws IOException {
        return TcpPort.duplicate(((SelChImpl) channel).getFDVal(), (InetSocketAddress) channel.getLocalAddress());
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long until = System.nanoTime() + PATIENCE_NS;
        while (!condition.call()) {
            assertTrue(System.nanoTime() < until, what);
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    /** Of the only account: both ends are in this process. */
    private long total(Tally tally) throws IOException {
        Path file = directory.resolve(AccountFile.NAME);
        List<Statement> all = Files.exists(file) ? AccountFile.read(file).statements() : List.of();
        return all.isEmpty() ? 0 : all.get(0).total(tally);
    }

    private void set(int word, long value) {
        link.own().setRelease(LinkMemoryDescriptor.slot(0) + word, value);
    }

    private static boolean isReset(PeerSocket end) {
        try {
            end.read(ByteBuffer.allocate(1));
            return false;
        } catch (PdException e) {
            return true;
        }
    }

    private void assertLinkEnds() throws Exception {
        await("the end of the link", () -> isReset(ours) && isReset(theirs));
        await("the count of it", () -> total(Tally.LINKS_ENDED) == 2);
        assertEquals(100, total(Tally.DIRECT_SENT));
        assertEquals(100, total(Tally.DIRECT_RECEIVED));
    }

    @Test
    void aPositionThatIsImpossibleEndsTheLinkAtBothEnds() throws Exception {
        set(LinkMemoryDescriptor.SENT_BEFORE_OFFSET, 1L << 60);
        assertLinkEnds();
    }

    @Test
    void aPositionBelowZeroLikewise() throws Exception {
        set(LinkMemoryDescriptor.RECEIVED_BEFORE_OFFSET, -1);
        assertLinkEnds();
    }

    @Test
    void aProgramThatHidesWhatItSendsLosesTheLink() throws Exception {
        link.own().setRelease(LinkMemoryDescriptor.USED_SLOTS_OFFSET, 0);
        assertLinkEnds();
    }

    /** Shows a memory, and waits until the driver has seen that. */
    private void show(Fd memory, long peer) throws Exception {
        BrokerSession session = clients.session();
        assertTrue(session.send(Request.shows(session.next(), true, peer), memory));
        long before = total(Tally.DIRECT_SENT);
        ours.write(ByteBuffer.allocate(7));
        await("the next bytes", () -> total(Tally.DIRECT_SENT) == before + 7);
    }

    @Test
    void whatIsNotTheMemoryOfALinkIsNotRead() throws Exception {
        try (Fd notSealed = Memory.memfd("hostile", Memory.PageSize.NORMAL)) {
            show(notSealed, 1);
            Memory.resize(notSealed, LinkPages.length());
            show(notSealed, 1);
        }
        try (SharedRegion small = SharedRegion.create("hostile", 8192, false)) {
            show(small.fd(), 1);
        }
        try (SocketChannel other = SocketChannel.open()) {
            other.bind(new InetSocketAddress(Literals.address("127.0.0.1"), 0));
            try (Fd socket = socket(other)) {
                show(socket, 1);
            }
        }
        // The same one again.
        MeteredLink same = link;
        show(same.memory(), same.peerMemory());
        assertEquals(0, total(Tally.LINKS_ENDED));
    }
}
