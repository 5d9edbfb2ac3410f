// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.client.DriverDirectory;
import io.pipedevice.jdk.Literals;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.SlowDriver;
import io.pipedevice.linux.TcpPort;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.test.ChildJvm;
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
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import sun.nio.ch.SelChImpl;

/** A driver that stands still goes on when its questions are withdrawn and the programs use their connections. */
@Tag("broker")
@Tag("processes")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class LateDriverTest {
    private static final InetAddress LOOPBACK = Literals.address("127.0.0.1");
    private static final int CONNECTIONS = 16;
    private static final int PIECES = 3000;
    private static final int PIECE = 512;
    private static final int PAUSE_US = 3000;
    private static final long SEED = 20261128;
    private static final long MOMENT_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(20);

    @TempDir
    private Path directory;

    private final Deque<AutoCloseable> open = new ArrayDeque<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private ChildJvm driver;
    private Broker servers;
    private Broker clients;
    private ServerSocketChannel kernel;
    private BrokeredListener<SocketChannel> listener;

    @BeforeEach
    void needRights() throws IOException {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "the driver needs CAP_NET_ADMIN");
    }

    private void begin(int pauseUs, int stopsAt) throws Exception {
        driver = keep(SlowDriver.start(directory, pauseUs, stopsAt));
        servers = new Broker(DriverDirectory.at(directory)::connect, keep(new PeerNetwork()));
        clients = new Broker(DriverDirectory.at(directory)::connect, keep(new PeerNetwork()));
        Joins.join(clients);
        Joins.join(servers);
        kernel = keep(ServerSocketChannel.open());
        kernel.bind(new InetSocketAddress(LOOPBACK, 0));
        listener = keep(
                servers.listen((InetSocketAddress) kernel.getLocalAddress(), null, CONNECTIONS, LateDriverTest::close));
    }

    @AfterEach
    void end() throws Exception {
        threads.shutdownNow();
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

    private final class Client {
        final SocketChannel channel = keep(SocketChannel.open());
        final Introduction introduction;

        Client() throws IOException {
            channel.bind(new InetSocketAddress(LOOPBACK, 0));
            introduction = clients.intendByDriver(local().getPort(), (InetSocketAddress) kernel.getLocalAddress());
            assertNotNull(introduction);
            channel.connect(kernel.getLocalAddress());
        }

        InetSocketAddress local() throws IOException {
            return (InetSocketAddress) channel.getLocalAddress();
        }

        void ask() throws IOException {
            introduction.ask(TcpPort.duplicate(((SelChImpl) channel).getFDVal(), local()), local(), () -> {});
        }
    }

    private void accept() throws IOException {
        SocketChannel accepted = keep(kernel.accept());
        InetSocketAddress client = (InetSocketAddress) accepted.getRemoteAddress();
        listener.hold(
                accepted,
                TcpPort.duplicate(((SelChImpl) accepted).getFDVal(), (InetSocketAddress) accepted.getLocalAddress()),
                client.getPort());
    }

    /** Both ends ask, and withdraw while the driver does not answer. Returns the servers' ends by their clients. */
    private Map<InetSocketAddress, SocketChannel> leaveToKernel(List<Client> all) throws Exception {
        for (Client each : all) {
            each.ask();
            accept();
        }
        for (Client each : all) {
            each.introduction.withdraw();
            each.introduction.awaitUnread();
            assertTrue(each.introduction.isUnread());
        }
        Map<InetSocketAddress, SocketChannel> theirs = new HashMap<>();
        while (theirs.size() < all.size()) {
            BrokeredListener.Accepted<SocketChannel> accepted = await();
            assertNull(accepted.rings());
            theirs.put((InetSocketAddress) accepted.kernel().getRemoteAddress(), accepted.kernel());
        }
        assertEquals(all.size(), theirs.size());
        return theirs;
    }

    private List<Client> connect() throws IOException {
        List<Client> all = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            all.add(new Client());
        }
        return all;
    }

    /** Both ends of each connection write and read, while something happens. */
    private void assertStreams(List<Client> all, Map<InetSocketAddress, SocketChannel> theirs, Callable<?> meanwhile)
            throws Exception {
        List<Future<?>> ends = new ArrayList<>();
        for (Client each : all) {
            SocketChannel other = theirs.get(each.local());
            ends.add(submit(each.channel, () -> write(each.channel, 1)));
            ends.add(submit(other, () -> write(other, 2)));
            ends.add(submit(each.channel, () -> read(each.channel, 2)));
            ends.add(submit(other, () -> read(other, 1)));
        }
        meanwhile.call();
        for (Future<?> each : ends) {
            each.get();
        }
    }

    /** A failure ends the connection, so that the other threads fail too. */
    private Future<?> submit(SocketChannel channel, Callable<?> task) {
        return threads.submit(() -> {
            boolean done = false;
            try {
                task.call();
                done = true;
                return null;
            } finally {
                if (!done) {
                    close(channel);
                }
            }
        });
    }

    private static Void write(SocketChannel channel, long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] piece = new byte[PIECE];
        for (int i = 0; i < PIECES; i++) {
            random.nextBytes(piece);
            ByteBuffer bytes = ByteBuffer.wrap(piece);
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            if (i % 8 == 0) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
        }
        return null;
    }

    private static Void read(SocketChannel channel, long seed) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        byte[] piece = new byte[PIECE];
        ByteBuffer got = ByteBuffer.allocate(PIECE);
        for (int i = 0; i < PIECES; i++) {
            random.nextBytes(piece);
            got.clear();
            while (got.hasRemaining()) {
                if (channel.read(got) < 0) {
                    throw new IOException("ended after " + (i * PIECE + got.position()));
                }
            }
            assertEquals(ByteBuffer.wrap(piece), got.flip(), "piece " + i);
        }
        return null;
    }

    /** The driver has received nothing, or has received and not read, when the programs withdraw. */
    @ParameterizedTest
    @ValueSource(ints = {0, PAUSE_US})
    void aDriverThatStoodStillLeavesWithdrawnConnectionsAlone(int pauseUs) throws Exception {
        begin(pauseUs, 0);
        List<Client> all = connect();
        driver.signal("STOP");
        Map<InetSocketAddress, SocketChannel> theirs = leaveToKernel(all);
        assertStreams(all, theirs, () -> {
            driver.signal("CONT");
            return null;
        });
    }

    @Test
    void aDriverThatStopsAtAnyMomentLeavesWithdrawnConnectionsAlone() throws Exception {
        begin(PAUSE_US, 0);
        SplittableRandom random = new SplittableRandom(SEED);
        for (int round = 0; round < 3; round++) {
            List<Client> all = connect();
            long stopAfterMs = random.nextLong(40);
            Future<?> stops = threads.submit(() -> {
                TimeUnit.MILLISECONDS.sleep(stopAfterMs);
                driver.signal("STOP");
                return null;
            });
            Future<?> goesOn = threads.submit(() -> {
                stops.get();
                TimeUnit.MILLISECONDS.sleep(3_300);
                driver.signal("CONT");
                return null;
            });
            Map<InetSocketAddress, SocketChannel> theirs = leaveToKernel(all);
            assertStreams(all, theirs, goesOn::get);
        }
    }

    /** A client whose socket the driver is reading, and has stopped before one of the changes. */
    private Client beingRead() throws IOException {
        Client client = new Client();
        client.ask();
        driver.expect("STOPS");
        return client;
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, SlowDriver.CHANGES})
    void aConnectionThatIsBeingReadIsNotUsedBeforeTheDriverIsReady(int stopsAt) throws Exception {
        begin(0, stopsAt);
        Client client = beingRead();
        SocketChannel other = keep(kernel.accept());
        client.introduction.withdraw();
        assertFalse(client.introduction.await(MOMENT_NS));
        assertFalse(client.introduction.isUnread());
        Future<?> unread = threads.submit(() -> {
            client.introduction.awaitUnread();
            return null;
        });
        driver.send("");
        unread.get();
        assertTrue(client.introduction.isUnread());
        assertStreams(List.of(client), Map.of(client.local(), other), () -> null);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, SlowDriver.CHANGES})
    void aDriverThatIsKilledWhileItReadsLeavesOneConnectionOfAClientUseless(int stopsAt) throws Exception {
        begin(0, stopsAt);
        Client first = beingRead();
        keep(kernel.accept());
        Client second = new Client();
        second.ask();
        SocketChannel other = keep(kernel.accept());
        driver.kill();
        assertTrue(second.introduction.await(PATIENCE_NS));
        assertTrue(second.introduction.isUnread());
        assertStreams(List.of(second), Map.of(second.local(), other), () -> null);
        assertTrue(first.introduction.await(PATIENCE_NS));
        assertFalse(first.introduction.isUnread());
        assertTrue(first.introduction.isDriverGone());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, SlowDriver.CHANGES})
    void aDriverThatIsKilledWhileItReadsLeavesOneConnectionOfAServerUseless(int stopsAt) throws Exception {
        begin(0, stopsAt);
        Client first = new Client();
        accept();
        driver.expect("STOPS");
        Client second = new Client();
        accept();
        driver.kill();
        BrokeredListener.Accepted<SocketChannel> accepted = await();
        assertNull(accepted.rings());
        assertEquals(second.local(), accepted.kernel().getRemoteAddress());
        assertStreams(List.of(second), Map.of(second.local(), accepted.kernel()), () -> null);
        // The program never gets the other one, whose client finds that when it writes.
        assertNull(listener.accept());
        assertTrue(isReset(first.channel));
    }

    private static boolean isReset(SocketChannel channel) throws InterruptedException {
        long until = System.nanoTime() + PATIENCE_NS;
        try {
            while (System.nanoTime() < until) {
                channel.write(ByteBuffer.allocate(1));
                TimeUnit.MILLISECONDS.sleep(1);
            }
            return false;
        } catch (IOException e) {
            return true;
        }
    }

    private BrokeredListener.Accepted<SocketChannel> await() throws Exception {
        long until = System.nanoTime() + PATIENCE_NS;
        BrokeredListener.Accepted<SocketChannel> accepted = listener.accept();
        while (accepted == null && System.nanoTime() < until) {
            TimeUnit.MILLISECONDS.sleep(1);
            accepted = listener.accept();
        }
        return accepted;
    }

    /** Another process that did the same before had to wait ten times as long as the driver stood still. */
    @Test
    void aDriverThatGoesOnIsJoinedByProgramsThatCameMeanwhile() throws Exception {
        begin(0, 0);
        Broker late = new Broker(DriverDirectory.at(directory)::connect, keep(new PeerNetwork()));
        driver.signal("STOP");
        late.join();
        assertFalse(late.isJoined());
        assertTrue(late.isUnanswered());
        driver.signal("CONT");
        Joins.join(late);
        assertFalse(late.isUnanswered());
    }

    @Test
    void aDriverThatIsKilledBeforeItAnswersIsFollowedByTheNext() throws Exception {
        begin(0, 0);
        Broker late = new Broker(DriverDirectory.at(directory)::connect, keep(new PeerNetwork()));
        driver.signal("STOP");
        assertTrue(late.knock());
        driver.kill();
        driver = keep(SlowDriver.start(directory, 0, 0));
        Joins.join(late);
    }
}
