// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
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
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.test.DriverLog;
import io.pipedevice.wait.FairTimeout;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import sun.nio.ch.SelChImpl;

/** What a driver decides about connections of the kernel's, and what it does not believe. */
@Tag("broker")
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class IntroductionTest {
    static {
        DriverLog.quiet();
    }

    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(10);

    private static final int MANY = 5000;

    /** Less than the kernel's backlog, and more than the descriptors that a process may have the driver close. */
    private static final int SEVERAL = 40;

    /** More than the driver asks the kernel about for one connection. */
    private static final int TOO_MANY = 200;

    /** How long the driver awaits the client of a connection that a server has accepted. */
    private static final long ACCEPTANCE_NS = TimeUnit.SECONDS.toNanos(1);

    /** How long the driver awaits the question of a server that it does not find. */
    private static final long UNSEEN_NS = TimeUnit.MILLISECONDS.toNanos(10);

    private static final InetAddress ELSEWHERE = Literals.address("127.0.0.9");

    @TempDir
    private Path directory;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private Broker servers;
    private Broker clients;
    private ServerSocketChannel kernel;
    private BrokeredListener<SocketChannel> listener;

    @BeforeEach
    void start() throws IOException {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "the driver needs CAP_NET_ADMIN");
        keep(PipeDeviceDriver.launch(new DriverContext().directory(directory)));
        servers = new Broker(DriverDirectory.at(directory)::connect, keep(new PeerNetwork()));
        clients = new Broker(DriverDirectory.at(directory)::connect, keep(new PeerNetwork()));
        clients.join();
        servers.join();
        kernel = keep(ServerSocketChannel.open());
        kernel.bind(new InetSocketAddress(Literals.address("127.0.0.1"), 0));
        listener = keep(servers.listen((InetSocketAddress) kernel.getLocalAddress(), null, 8, IntroductionTest::close));
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

    /** A client's connection, and what the driver is asked about it. */
    private final class Client {
        final SocketChannel channel = keep(SocketChannel.open());
        final Introduction introduction;

        Client() throws IOException {
            this(clients);
        }

        Client(Broker broker) throws IOException {
            channel.bind(new InetSocketAddress(Literals.address("127.0.0.1"), 0));
            FairTimeout timeout = new FairTimeout(System.nanoTime(), PATIENCE_NS);
            Introduction made;
            do {
                // The driver's socket may have no room after many announcements.
                made = broker.intendByDriver(local().getPort(), (InetSocketAddress) kernel.getLocalAddress());
            } while (made == null && !timeout.isOver());
            assertNotNull(made);
            introduction = made;
            channel.connect(kernel.getLocalAddress());
        }

        InetSocketAddress local() throws IOException {
            return (InetSocketAddress) channel.getLocalAddress();
        }

        void ask() throws IOException {
            ask(channel);
        }

        void ask(SocketChannel shown) throws IOException {
            introduction.ask(socket(shown), local(), () -> {});
        }

        PeerSocket connect() throws IOException, InterruptedException {
            assertTrue(introduction.await(PATIENCE_NS));
            return keep(introduction.connect(local(), (InetSocketAddress) channel.getRemoteAddress(), false));
        }

        PeerRefusal.Reason refusal() {
            return assertThrows(PeerRefusal.class, this::connect).reason();
        }
    }

    private SocketChannel accept(BrokeredListener<SocketChannel> by) throws IOException {
        SocketChannel accepted = keep(kernel.accept());
        hold(by, accepted, accepted);
        return accepted;
    }

    private static void hold(BrokeredListener<SocketChannel> by, SocketChannel accepted, SocketChannel shown)
            throws IOException {
        assertTrue(by.hold(accepted, socket(shown), ((InetSocketAddress) accepted.getRemoteAddress()).getPort()));
    }

    private static BrokeredListener.Accepted<SocketChannel> await(BrokeredListener<SocketChannel> by)
            throws IOException, InterruptedException {
        long until = System.nanoTime() + PATIENCE_NS;
        BrokeredListener.Accepted<SocketChannel> accepted = by.accept();
        while (accepted == null && System.nanoTime() < until) {
            TimeUnit.MILLISECONDS.sleep(1);
            accepted = by.accept();
        }
        return accepted;
    }

    private void assertMeet(boolean serverFirst) throws IOException, InterruptedException {
        Client client = new Client();
        SocketChannel accepted;
        if (serverFirst) {
            accepted = accept(listener);
            client.ask();
        } else {
            client.ask();
            accepted = accept(listener);
        }
        PeerSocket ours = client.connect();
        ours.write(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        BrokeredListener.Accepted<SocketChannel> arrival = await(listener);
        assertEquals(accepted, arrival.kernel());
        PeerSocket theirs = keep(arrival.rings());
        ByteBuffer got = ByteBuffer.allocate(3);
        assertEquals(3, theirs.read(got));
        assertEquals(ByteBuffer.wrap(new byte[] {1, 2, 3}), got.flip());
        assertEquals(client.local(), theirs.peerAddress());
    }

    @Test
    void theEndsOfAConnectionAreIntroducedWhicheverComesFirst() throws Exception {
        for (int i = 0; i < 20; i++) {
            assertMeet(i % 2 == 0);
        }
        assertNull(listener.accept());
    }

    /** More than the driver remembers for one process, and in less time than it remembers them. */
    @Test
    @Timeout(240)
    void connectionsThatWereMadeTakeNoRoomAtTheDriver() throws Exception {
        for (int i = 0; i < MANY; i++) {
            Client client = new Client();
            SocketChannel accepted = kernel.accept();
            hold(listener, accepted, accepted);
            client.ask();
            client.connect().close();
            await(listener).rings().close();
            close(accepted);
            close(client.channel);
        }
    }

    @Test
    void aServersConnectionWithoutAnIntentStaysOnTheKernelAtOnce() throws Exception {
        SocketChannel client = keep(SocketChannel.open());
        client.connect(kernel.getLocalAddress());
        SocketChannel accepted = accept(listener);
        long begin = System.nanoTime();
        BrokeredListener.Accepted<SocketChannel> arrival = await(listener);
        assertEquals(accepted, arrival.kernel());
        assertNull(arrival.rings());
        assertEquals(PeerRefusal.Reason.NO_RENDEZVOUS, arrival.reason());
        assertTrue(System.nanoTime() - begin < PATIENCE_NS / 2);
    }

    @Test
    void aClientWhoseServerDoesNotTakePartStaysOnTheKernel() throws Exception {
        listener.close();
        Client client = new Client();
        client.ask();
        assertEquals(PeerRefusal.Reason.NO_RENDEZVOUS, client.refusal());
    }

    /** The listener announces another address than that of the kernel's one: as if it got its address afterwards. */
    private void listenElsewhere() throws IOException {
        listener.close();
        InetSocketAddress other =
                new InetSocketAddress(ELSEWHERE, kernel.socket().getLocalPort());
        listener = keep(servers.listen(other, null, 8, IntroductionTest::close));
    }

    @Test
    void theEndsAreIntroducedAtAnAddressThatTheListenerDidNotAnnounceIfTheServerComesFirst() throws Exception {
        listenElsewhere();
        assertMeet(true);
        // Now the driver knows the address.
        assertMeet(false);
    }

    @Test
    void aConnectionToNoParticipantIsRefusedAtOnce() throws Exception {
        listenElsewhere();
        Client client = new Client();
        client.ask();
        assertEquals(PeerRefusal.Reason.NO_RENDEZVOUS, client.refusal());
    }

    /** The driver handles the messages of the servers' session in turn: once it answers a later one, it knows these. */
    private void awaitAnnouncements() throws IOException {
        FairTimeout timeout = new FairTimeout(System.nanoTime(), PATIENCE_NS);
        PeerRefusal.Reason last;
        do {
            Client client = new Client(servers);
            client.ask();
            last = client.refusal();
        } while (last != PeerRefusal.Reason.NO_RENDEZVOUS && !timeout.isOver());
        assertEquals(PeerRefusal.Reason.NO_RENDEZVOUS, last);
    }

    @Test
    void aClientWaitsForTheServersQuestionIfThereAreTooManyListenersToLookUp() throws Exception {
        listenElsewhere();
        for (int i = 0; i < TOO_MANY; i++) {
            keep(servers.listen(new InetSocketAddress(ELSEWHERE, i + 1), null, 8, IntroductionTest::close));
        }
        awaitAnnouncements();
        Client client = new Client();
        long begin = System.nanoTime();
        client.ask();
        assertEquals(PeerRefusal.Reason.NO_RENDEZVOUS, client.refusal());
        assertTrue(System.nanoTime() - begin > UNSEEN_NS);
    }

    @Test
    void aListenerThatHasEndedIsNotSearchedAlsoIfManyEndAtATime() throws Exception {
        listenElsewhere();
        List<BrokeredListener<SocketChannel>> many = new ArrayList<>();
        for (int i = 0; i < TOO_MANY; i++) {
            many.add(servers.listen(new InetSocketAddress(ELSEWHERE, i + 1), null, 8, IntroductionTest::close));
        }
        many.forEach(BrokeredListener::close);
        awaitAnnouncements();
        long soonest = Long.MAX_VALUE;
        for (int i = 0; i < SEVERAL; i++) {
            Client client = new Client();
            long begin = System.nanoTime();
            client.ask();
            assertEquals(PeerRefusal.Reason.NO_RENDEZVOUS, client.refusal());
            soonest = Math.min(soonest, System.nanoTime() - begin);
        }
        assertTrue(soonest < UNSEEN_NS, soonest + " ns");
    }

    @Test
    void manyConnectionsToNoParticipantAtATimeAreNoOffence() throws Exception {
        listenElsewhere();
        List<Client> all = new ArrayList<>();
        for (int i = 0; i < SEVERAL; i++) {
            all.add(new Client());
        }
        for (Client each : all) {
            each.ask();
        }
        for (Client each : all) {
            assertEquals(PeerRefusal.Reason.NO_RENDEZVOUS, each.refusal());
        }
        assertTrue(clients.isJoined());
    }

    @Test
    void aConnectionThatTheServerHasAcceptedWithoutTheDriverStaysOnTheKernel() throws Exception {
        listener.close();
        Client client = new Client();
        keep(kernel.accept());
        Broker late = new Broker(DriverDirectory.at(directory)::connect, keep(new PeerNetwork()));
        keep(late.listen((InetSocketAddress) kernel.getLocalAddress(), null, 8, IntroductionTest::close));
        late.join();
        client.ask();
        assertEquals(PeerRefusal.Reason.NO_RENDEZVOUS, client.refusal());
    }

    @Test
    void aWithdrawnQuestionIsAnsweredAndTheServerServesByTheKernel() throws Exception {
        Client client = new Client();
        client.ask();
        assertFalse(client.introduction.await(TimeUnit.MILLISECONDS.toNanos(50)), "the server has not accepted");
        client.introduction.withdraw();
        assertEquals(PeerRefusal.Reason.HANDSHAKE_FAILED, client.refusal());
        SocketChannel accepted = accept(listener);
        BrokeredListener.Accepted<SocketChannel> arrival = await(listener);
        assertEquals(accepted, arrival.kernel());
        assertNull(arrival.rings());
    }

    @Test
    void aClientThatWithdrawsAfterTheIntroductionReleasesTheServer() throws Exception {
        Client client = new Client();
        client.ask();
        SocketChannel accepted = accept(listener);
        assertTrue(client.introduction.await(PATIENCE_NS));
        client.introduction.withdraw();
        assertEquals(PeerRefusal.Reason.HANDSHAKE_FAILED, client.refusal(), "an answer that came too late");
        BrokeredListener.Accepted<SocketChannel> arrival = await(listener);
        assertEquals(accepted, arrival.kernel());
        assertNull(arrival.rings());
    }

    /** A driver that was late. The number of the server's question is the last one of its process. */
    @Test
    void aConnectionThatTheProgramHasByTheKernelDoesNotGoOnByRings() throws Exception {
        Client client = new Client();
        long begin = System.nanoTime();
        SocketChannel accepted = accept(listener);
        int question = servers.session().next() - 1;
        // The driver has read the server's socket, and waits for the client.
        TimeUnit.MILLISECONDS.sleep(100);
        listener.released(question);
        assertEquals(accepted, await(listener).kernel());
        client.ask();
        PeerRefusal.Reason reason = client.refusal();
        if (reason != PeerRefusal.Reason.NO_RENDEZVOUS || System.nanoTime() - begin < ACCEPTANCE_NS) {
            assertEquals(PeerRefusal.Reason.HANDSHAKE_FAILED, reason);
        }
        assertNull(listener.accept());
    }

    @Test
    void aProcessThatShowsAnotherConnectionIsNotIntroduced() throws Exception {
        // A server that shows a connection of its own to the same port, as if it had accepted the client's.
        Client client = new Client();
        Client other = new Client();
        SocketChannel first = keep(kernel.accept());
        SocketChannel second = keep(kernel.accept());
        boolean inOrder = first.getRemoteAddress().equals(client.local());
        SocketChannel ofClient = inOrder ? first : second;
        SocketChannel ofOther = inOrder ? second : first;
        hold(listener, ofClient, ofOther);
        client.ask();
        if (client.introduction.await(TimeUnit.MILLISECONDS.toNanos(100))) {
            // This thread has got no processor until the driver has refused.
            assertEquals(PeerRefusal.Reason.NO_RENDEZVOUS, client.refusal());
        } else {
            client.introduction.withdraw();
            assertEquals(PeerRefusal.Reason.HANDSHAKE_FAILED, client.refusal());
        }
        // A client that shows another connection than the one it has announced.
        hold(listener, ofOther, ofOther);
        other.ask(client.channel);
        assertTrue(other.introduction.await(PATIENCE_NS) || !other.introduction.isDecided());
        assertThrows(PeerRefusal.class, other::connect);
    }
}
