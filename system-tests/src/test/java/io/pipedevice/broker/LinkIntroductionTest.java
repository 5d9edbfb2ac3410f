// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.client.DriverDirectory;
import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.PipeDeviceDriver;
import io.pipedevice.jdk.Literals;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.TcpPort;
import io.pipedevice.peer.link.Announcement;
import io.pipedevice.peer.link.PeerLink;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.protocol.ChallengeWord;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.test.DriverLog;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import sun.nio.ch.SelChImpl;

/** Connections that meet by an existing link, without a driver, and what a server does not believe. */
@Tag("broker")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class LinkIntroductionTest {
    static {
        DriverLog.quiet();
    }

    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    /** A client asks the driver if the server has not asked for its byte by then. */
    private static final long PROMPT_NS = TimeUnit.MILLISECONDS.toNanos(20);

    /** A server asks the driver if the client has not posted the connection by then. */
    private static final long ANSWER_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private static final int TRIES = 20;
    private static final InetAddress HOST = Literals.address("127.0.0.1");
    private static final InetAddress OTHER_ADDRESS = Literals.address("127.0.0.2");

    @TempDir
    private Path directory;

    @TempDir
    private Path rules;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private PipeDeviceDriver driver;
    private Broker clients;
    private Broker servers;
    private ServerSocketChannel kernel;
    private BrokeredListener<SocketChannel> listener;
    private InetSocketAddress to;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "the driver needs CAP_NET_ADMIN");
        launch(new DriverContext());
        servers = new Broker(DriverDirectory.at(directory)::connect, keep(new PeerNetwork()), 1);
        clients = new Broker(DriverDirectory.at(directory)::connect, keep(new PeerNetwork()), 1);
        clients.join();
        servers.join();
        kernel = keep(ServerSocketChannel.open());
        kernel.bind(new InetSocketAddress(HOST, 0));
        to = (InetSocketAddress) kernel.getLocalAddress();
        listener = keep(servers.listen(to, null, 8, LinkIntroductionTest::close));
        assertMeetByDriver();
    }

    private void launch(DriverContext context) throws IOException {
        driver = keep(PipeDeviceDriver.launch(context.directory(directory)));
    }

    private void assertMeetByDriver() throws Exception {
        Client client = new Client(to);
        assertInstanceOf(DriverIntroduction.class, client.introduction);
        accept();
        client.ask();
        client.connect();
        client.assertStreams(awaitArrival());
    }

    /** Ends the driver, and waits until both processes know. */
    private void endDriver() throws Exception {
        driver.close();
        await(() -> clients.session() == null && servers.session() == null);
    }

    private static void await(BooleanSupplier condition) throws InterruptedException {
        long until = System.nanoTime() + PATIENCE_NS;
        while (!condition.getAsBoolean()) {
            assertTrue(System.nanoTime() < until);
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    /** Another driver takes the place of the first one. */
    private void replaceDriver(DriverContext context) throws Exception {
        endDriver();
        launch(context);
        await(() -> {
            clients.join();
            servers.join();
            return clients.isJoined() && servers.isJoined();
        });
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

    /** A client's connection, which it announces as one to the server; it may lead elsewhere. */
    private final class Client {
        final SocketChannel channel = keep(SocketChannel.open());
        final Introduction introduction;
        PeerSocket rings;

        Client(InetSocketAddress really) throws IOException {
            this(really, 0);
        }

        Client(InetSocketAddress really, int port) throws IOException {
            this(clients, really, port);
        }

        Client(Broker process, InetSocketAddress really, int port) throws IOException {
            channel.bind(new InetSocketAddress(HOST, port));
            introduction = process.intend(port == 0 ? local().getPort() : port, to);
            channel.connect(really);
        }

        InetSocketAddress local() throws IOException {
            return (InetSocketAddress) channel.getLocalAddress();
        }

        void ask() throws IOException {
            introduction.ask(socket(channel), local(), () -> {});
        }

        PeerSocket connect() throws IOException, InterruptedException {
            assertTrue(introduction.await(PATIENCE_NS));
            rings = keep(introduction.connect(local(), to, false));
            return rings;
        }

        /** Connects on a thread of its own, because the server must accept meanwhile. */
        CompletableFuture<PeerSocket> connecting() {
            return CompletableFuture.supplyAsync(() -> {
                try {
                    return connect();
                } catch (PeerRefusal e) {
                    return null;
                } catch (IOException | InterruptedException e) {
                    throw new AssertionError(e);
                }
            });
        }

        void assertStreams(BrokeredListener.Accepted<SocketChannel> arrival) throws Exception {
            PeerSocket ours = rings == null ? connect() : rings;
            ours.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
            PeerSocket theirs = keep(arrival.rings());
            ByteBuffer got = ByteBuffer.allocate(3);
            assertEquals(3, theirs.read(got));
            assertEquals(ByteBuffer.wrap(new byte[] {1, 2, 3}), got.flip());
            assertEquals(local(), theirs.peerAddress());
        }
    }

    private SocketChannel accept() throws IOException {
        SocketChannel accepted = keep(kernel.accept());
        assertTrue(
                listener.hold(accepted, socket(accepted), ((InetSocketAddress) accepted.getRemoteAddress()).getPort()));
        return accepted;
    }

    private BrokeredListener.Accepted<SocketChannel> awaitArrival() throws IOException, InterruptedException {
        long until = System.nanoTime() + PATIENCE_NS;
        BrokeredListener.Accepted<SocketChannel> accepted = listener.accept();
        while (accepted == null && System.nanoTime() < until) {
            TimeUnit.MILLISECONDS.sleep(1);
            accepted = listener.accept();
        }
        return accepted;
    }

    /** Connections meet by the link. The driver has one for which a thread was late; then another one must. */
    private void assertMeet(boolean serverFirst) throws Exception {
        for (int i = 1; !meets(serverFirst); i++) {
            assertTrue(i < TRIES, "a thread was late each time");
            clients.known().forget(to);
            relearn();
        }
    }

    /** Returns false if a connection has not met by the link because a thread was late. */
    private boolean meets(boolean serverFirst) throws Exception {
        Client client = new Client(to);
        assertInstanceOf(LinkIntroduction.class, client.introduction);
        long begin = System.nanoTime();
        SocketChannel accepted = serverFirst ? accept() : null;
        client.ask();
        CompletableFuture<PeerSocket> ours = client.connecting();
        accepted = serverFirst ? accepted : accept();
        boolean late = !serverFirst && System.nanoTime() - begin > PROMPT_NS;
        BrokeredListener.Accepted<SocketChannel> arrival = awaitArrival();
        assertEquals(accepted, arrival.kernel());
        boolean connected = ours.get() != null;
        boolean byLink = !((LinkIntroduction) client.introduction).isLeftToDriver();
        late |= System.nanoTime() - begin > ANSWER_NS;
        if (late && !(connected && byLink)) {
            if (arrival.rings() != null) {
                keep(arrival.rings());
            }
            return false;
        }
        assertTrue(connected);
        assertTrue(byLink);
        client.assertStreams(arrival);
        return true;
    }

    @Test
    void aLaterConnectionNeedsNoDriver() throws Exception {
        for (int i = 0; i < 20; i++) {
            assertMeet(i % 2 == 0);
        }
        assertNull(listener.accept());
    }

    @Test
    void theDriverIntroducesTheFirstConnectionsToADestination() throws Exception {
        Broker careful = new Broker(DriverDirectory.at(directory)::connect, keep(new PeerNetwork()), 3);
        careful.join();
        for (int i = 0; i < 5; i++) {
            Client client = new Client(careful, to, 0);
            assertEquals(i < 3 ? DriverIntroduction.class : LinkIntroduction.class, client.introduction.getClass());
            accept();
            client.ask();
            CompletableFuture<PeerSocket> ours = client.connecting();
            keep(awaitArrival().rings());
            assertTrue(ours.get() != null);
        }
    }

    @Test
    void afterTheDriverHasEndedConnectionsStayOnTheKernel() throws Exception {
        endDriver();
        for (int i = 0; i < 20; i++) {
            SocketChannel channel = keep(SocketChannel.open());
            channel.bind(new InetSocketAddress(HOST, 0));
            InetSocketAddress from = (InetSocketAddress) channel.getLocalAddress();
            assertNull(clients.intend(from.getPort(), to));
            channel.connect(to);
            SocketChannel accepted = keep(kernel.accept());
            try (Fd socket = socket(accepted)) {
                assertFalse(listener.hold(accepted, socket, from.getPort()));
            }
            assertKernelStreams(channel, accepted);
        }
    }

    @Test
    void aConnectionThatWasAnnouncedBeforeTheDriverEndedStaysOnTheKernel() throws Exception {
        Client client = new Client(to);
        assertInstanceOf(LinkIntroduction.class, client.introduction);
        SocketChannel accepted = accept();
        endDriver();
        client.ask();
        assertThrows(PeerRefusal.class, client::connect);
        BrokeredListener.Accepted<SocketChannel> arrival = awaitArrival();
        assertEquals(accepted, arrival.kernel());
        assertNull(arrival.rings());
        assertKernelStreams(client.channel, accepted);
    }

    @Test
    void anotherDriverIntroducesTheFirstConnection() throws Exception {
        replaceDriver(new DriverContext());
        assertMeetByDriver();
        assertMeet(true);
    }

    @Test
    void aServerIgnoresWhatAClientAnnouncesThatThisDriverHasNotIntroduced() throws Exception {
        PeerLink link = clients.known().of(to, clients.session());
        replaceDriver(new DriverContext());
        SocketChannel channel = keep(SocketChannel.open());
        channel.bind(new InetSocketAddress(HOST, 0));
        Announcement announced = link.announce(((InetSocketAddress) channel.getLocalAddress()).getPort());
        channel.connect(to);
        SocketChannel accepted = accept();
        assertEquals(ChallengeWord.NONE, link.challenge(announced));
        BrokeredListener.Accepted<SocketChannel> arrival = awaitArrival();
        assertEquals(accepted, arrival.kernel());
        assertNull(arrival.rings());
        link.forget(announced);
        assertKernelStreams(channel, accepted);
    }

    @Test
    void aDriverWithAPolicyFileIntroducesEachConnection() throws Exception {
        Path file = Files.writeString(rules.resolve("policy.yaml"), "default: direct\n");
        replaceDriver(new DriverContext().policy(file));
        assertMeetByDriver();
        assertMeetByDriver();
        Files.writeString(file, "default: kernel\n");
        // Connections meet by rings until the driver has read the file.
        long until = System.nanoTime() + PATIENCE_NS;
        BrokeredListener.Accepted<SocketChannel> arrival;
        do {
            assertTrue(System.nanoTime() < until);
            Client client = new Client(to);
            assertInstanceOf(DriverIntroduction.class, client.introduction);
            accept();
            client.ask();
            CompletableFuture<PeerSocket> ours = client.connecting();
            arrival = awaitArrival();
            assertEquals(arrival.rings() == null, ours.get() == null);
            if (arrival.rings() != null) {
                keep(arrival.rings());
            }
            TimeUnit.MILLISECONDS.sleep(20);
        } while (arrival.rings() != null);
        assertEquals(PeerRefusal.Reason.POLICY, arrival.reason());
    }

    /** Sends and receives on the kernel's connection. */
    private static void assertKernelStreams(SocketChannel from, SocketChannel to) throws IOException {
        from.write(ByteBuffer.wrap(new byte[] {4, 5, 6, 7}));
        ByteBuffer got = ByteBuffer.allocate(8);
        while (got.position() < 4) {
            assertTrue(to.read(got) > 0);
        }
        assertEquals(ByteBuffer.wrap(new byte[] {4, 5, 6, 7}), got.flip());
    }

    @Test
    void aClientThatClaimsTheConnectionOfAnotherProgramDoesNotGetIt() throws Exception {
        ServerSocketChannel elsewhere = keep(ServerSocketChannel.open().bind(new InetSocketAddress(HOST, 0)));
        for (int i = 0; i < 3; i++) {
            Client claimer = new Client((InetSocketAddress) elsewhere.getLocalAddress());
            SocketChannel third = keep(elsewhere.accept());
            SocketChannel other = keep(SocketChannel.open());
            other.bind(new InetSocketAddress(OTHER_ADDRESS, claimer.local().getPort()));
            other.connect(to);
            SocketChannel accepted = accept();
            if (i > 0) {
                // The byte of another program proves nothing, except by chance.
                other.socket().sendUrgentData(0);
            }
            claimer.ask();
            CompletableFuture<PeerSocket> claimed = claimer.connecting();
            BrokeredListener.Accepted<SocketChannel> arrival = awaitArrival();
            assertEquals(accepted, arrival.kernel());
            assertNull(arrival.rings());
            assertNull(claimed.get());
            assertKernelStreams(other, accepted);
            assertKernelStreams(accepted, other);
            // What was claimed is not damaged, and neither is the connection of the claimer.
            assertKernelStreams(claimer.channel, third);
            assertKernelStreams(third, claimer.channel);
            other.close();
            clients.known().forget(to);
            relearn();
        }
    }

    @Test
    void ofTwoClientsThatAnnounceAConnectionTheOneThatHasItGetsIt() throws Exception {
        Broker thieves = new Broker(DriverDirectory.at(directory)::connect, keep(new PeerNetwork()), 1);
        thieves.join();
        Client first = new Client(thieves, to, 0);
        accept();
        first.ask();
        first.connect();
        keep(awaitArrival().rings());
        PeerLink link = thieves.known().of(to, thieves.session());
        ServerSocketChannel elsewhere = keep(ServerSocketChannel.open().bind(new InetSocketAddress(HOST, 0)));
        for (int i = 0; i < 5; i++) {
            Client owner = new Client(to);
            SocketChannel other = keep(SocketChannel.open(elsewhere.getLocalAddress()));
            LinkIntroduction theft =
                    (LinkIntroduction) thieves.intend(owner.local().getPort(), to);
            SocketChannel accepted = accept();
            // The thief is first, and the byte of the owner has come when the thief is judged.
            theft.ask(socket(other), owner.local(), () -> {});
            theft.advance();
            owner.ask();
            ((LinkIntroduction) owner.introduction).advance();
            CompletableFuture<PeerSocket> ours = owner.connecting();
            BrokeredListener.Accepted<SocketChannel> arrival = awaitArrival();
            assertEquals(accepted, arrival.kernel());
            assertTrue(ours.get() != null);
            owner.assertStreams(arrival);
            assertNull(listener.accept());
            assertTrue(theft.await(PATIENCE_NS));
            assertThrows(PeerRefusal.class, () -> theft.connect(owner.local(), to, false));
            thieves.known().forget(to);
            thieves.known().leads(to, link, thieves.session());
        }
    }

    /** The destination leads elsewhere now, and the server of the link has a connection from the same port. */
    @Test
    void aServerThatDoesNotHaveTheConnectionDoesNotGetIt() throws Exception {
        ServerSocketChannel elsewhere = keep(ServerSocketChannel.open().bind(new InetSocketAddress(HOST, 0)));
        Client client = new Client((InetSocketAddress) elsewhere.getLocalAddress());
        assertInstanceOf(LinkIntroduction.class, client.introduction);
        SocketChannel reached = keep(elsewhere.accept());
        SocketChannel other = keep(SocketChannel.open());
        other.bind(new InetSocketAddress(OTHER_ADDRESS, client.local().getPort()));
        other.connect(to);
        SocketChannel accepted = accept();
        client.ask();
        CompletableFuture<PeerSocket> claimed = client.connecting();
        BrokeredListener.Accepted<SocketChannel> arrival = awaitArrival();
        assertEquals(accepted, arrival.kernel());
        assertNull(arrival.rings());
        assertNull(claimed.get());
        assertKernelStreams(client.channel, reached);
        assertKernelStreams(reached, client.channel);
        assertKernelStreams(other, accepted);
    }

    /** The destination is known again, as after a while. */
    private void relearn() throws Exception {
        Client again = new Client(to);
        accept();
        again.ask();
        CompletableFuture<PeerSocket> ours = again.connecting();
        BrokeredListener.Accepted<SocketChannel> arrival = awaitArrival();
        assertTrue(ours.get() != null);
        assertTrue(arrival.rings() != null);
        keep(arrival.rings());
    }

    @Test
    void aConnectionThatLeadsElsewhereStaysOnTheKernelSoon() throws Exception {
        ServerSocketChannel elsewhere = keep(ServerSocketChannel.open().bind(new InetSocketAddress(HOST, 0)));
        Client client = new Client((InetSocketAddress) elsewhere.getLocalAddress());
        SocketChannel accepted = keep(elsewhere.accept());
        long begin = System.nanoTime();
        client.ask();
        assertThrows(PeerRefusal.class, client::connect);
        assertTrue(System.nanoTime() - begin < PATIENCE_NS / 2);
        assertKernelStreams(client.channel, accepted);
        // From now on the driver is asked.
        assertInstanceOf(DriverIntroduction.class, new Client(to).introduction);
    }

    @Test
    void aServerDoesNotWaitForAClientThatGivesUp() throws Exception {
        Client client = new Client(to);
        client.ask();
        assertFalse(client.introduction.isDecided());
        client.introduction.withdraw();
        assertTrue(client.introduction.isDecided());
        assertThrows(PeerRefusal.class, client::connect);
        // Nothing is announced any more, so that the driver is asked.
        long begin = System.nanoTime();
        SocketChannel accepted = accept();
        BrokeredListener.Accepted<SocketChannel> arrival = awaitArrival();
        assertEquals(accepted, arrival.kernel());
        assertNull(arrival.rings());
        assertEquals(PeerRefusal.Reason.NO_RENDEZVOUS, arrival.reason());
        assertTrue(System.nanoTime() - begin < PATIENCE_NS / 2);
    }

    @Test
    void aServerWaitsForAWhileForAClientThatDoesNotAnswer() throws Exception {
        Client client = new Client(to);
        SocketChannel accepted = accept();
        BrokeredListener.Accepted<SocketChannel> arrival = awaitArrival();
        assertEquals(accepted, arrival.kernel());
        assertNull(arrival.rings());
        // Too late. It knows without another accept of the server.
        client.ask();
        assertThrows(PeerRefusal.class, client::connect);
        assertKernelStreams(client.channel, accepted);
        assertNull(listener.accept());
    }

    @Test
    void aServerThatAcceptsLateGetsTheRingsOfAClientThatHasPosted() throws Exception {
        Client client = new Client(to);
        SocketChannel accepted = accept();
        client.ask();
        ((LinkIntroduction) client.introduction).advance();
        client.introduction.withdraw();
        // After its time the connection is released, but not returned.
        TimeUnit.MILLISECONDS.sleep(2 * BrokeredListener.ANSWER_MS);
        BrokeredListener.Accepted<SocketChannel> arrival = awaitArrival();
        assertEquals(accepted, arrival.kernel());
        assertNull(arrival.reason());
        client.assertStreams(arrival);
        assertNull(listener.accept());
    }
}
