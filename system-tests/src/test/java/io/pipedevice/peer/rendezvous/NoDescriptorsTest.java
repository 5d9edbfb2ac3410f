// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.SpinMode;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Poll;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.peer.wait.WiderWait;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.RawPeer;
import io.pipedevice.test.TestAddresses;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A process has no descriptor left for a bell or ring of its peer. It takes the bell or ring when it has a descriptor
 * again; if it never has, the link ends at both ends, with a reason.
 */
@Tag("peer")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class NoDescriptorsTest {
    private static final int PORT = FixedPort.NO_DESCRIPTORS.number();
    private static final int SLOT = 0;
    private static final int RING = 64 << 10;
    private static final int MOMENT_MS = 500;
    private static final int LONGER_THAN_PATIENCE_S = 7;

    private ChildJvm poor;

    @BeforeEach
    void start() throws IOException {
        poor = ChildJvm.start(
                List.of("sh", "-c", "ulimit -n 256; exec \"$@\"", "sh"), List.of("-XX:-MaxFDLimit"), Poor.class);
        poor.expect("LISTENING");
    }

    @AfterEach
    void end() {
        poor.close();
    }

    private RawPeer connect(int generation) throws IOException {
        RawPeer raw = RawPeer.meet(TestAddresses.loopback(PORT));
        raw.connect(SLOT, generation, TestAddresses.loopback(2), TestAddresses.loopback(PORT));
        poor.expect("ACCEPTED");
        return raw;
    }

    /** From now on the process receives no descriptor. What is announced before it may take at once. */
    private void hoard() throws IOException {
        poor.send("hoard");
        poor.expect("HOARDS");
    }

    private static void announce(RawPeer raw, int type) throws IOException {
        if (type == LinkMessageDescriptor.RING) {
            int ring = raw.announceRing(RING);
            raw.word(SLOT, LinkMemoryDescriptor.RING_OFFSET, LinkMemoryDescriptor.ringWord(ring, 16, 1));
            raw.tail(SLOT, 1);
        } else {
            raw.say(LinkMessageDescriptor.BELL, 1, 0, raw.bell[1].fd());
            raw.word(SLOT, LinkMemoryDescriptor.READ_ARM_OFFSET, PeerArmWord.of(1, 1, 1));
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {LinkMessageDescriptor.BELL, LinkMessageDescriptor.RING})
    void announcementsOfThePeerWaitUntilThereAreDescriptors(int type) throws Exception {
        try (RawPeer raw = connect(1)) {
            hoard();
            announce(raw, type);
            poor.send("use and release soon");
            if (type == LinkMessageDescriptor.RING) {
                poor.expect("GOT 1");
            } else {
                awaitRing(raw);
                assertEquals(1, raw.peerWord(SLOT, LinkMemoryDescriptor.TAIL_OFFSET));
            }
            assertTrue(poor.hasSaid("HAS DESCRIPTORS"));
            raw.sayState(SLOT, 1, LinkMemoryDescriptor.FIN | LinkMemoryDescriptor.CLOSED);
            assertEquals("normally", poor.expect("ENDED"));
            assertEquals(0, raw.peer.getAcquire(LinkMemoryDescriptor.GIVEN_UP_OFFSET));
        }
    }

    /** A late ring is for all sockets of the bell's owner. */
    private static void awaitRing(RawPeer raw) throws LinuxException {
        awaitBell(raw);
        assertEquals(1, raw.peer.getAcquire(LinkMemoryDescriptor.OVERFLOW_OFFSET));
    }

    private static void awaitBell(RawPeer raw) throws LinuxException {
        Poll poll = new Poll(1);
        poll.add(raw.bell[0].fd(), Poll.IN);
        assertEquals(1, poll.await(10_000));
    }

    @Test
    void aReaderThatWaitsForDescriptorsSleeps() throws Exception {
        try (RawPeer raw = connect(1)) {
            hoard();
            announce(raw, LinkMessageDescriptor.RING);
            // The end of the stream makes a socket readable, even if unread bytes come before it.
            raw.sayState(SLOT, 1, LinkMemoryDescriptor.OPEN | LinkMemoryDescriptor.FIN);
            poor.send("use and release soon");
            int reads = Integer.parseInt(poor.expect("READS"));
            assertTrue(reads < 10, reads + " reads");
            assertEquals("normally", poor.expect("ENDED"));
        }
    }

    /** Both sockets share one bell, which is rung once when its descriptor has arrived. */
    @Test
    @Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void allSocketsThatWaitedForTheSameBellAreReported() throws Exception {
        InetSocketAddress to = TestAddresses.loopback(PORT);
        try (PeerNetwork network = new PeerNetwork(10_000);
                WiderWait wait = new WiderWait(SpinMode.NEVER);
                PeerSocket one = network.meet(to).connect(TestAddresses.loopback(2), to);
                PeerSocket other = network.meet(to).connect(TestAddresses.loopback(3), to)) {
            poor.expect("ACCEPTED");
            poor.send("accept");
            poor.expect("ACCEPTED");
            hoard();
            wait.epoll.add(one, PdEpoll.IN, one);
            wait.epoll.add(other, PdEpoll.IN, other);
            wait.sleepDuring(() -> {
                poor.send("write");
                poor.expect("WROTE");
                poor.send("release");
            });
            for (int i = 0; i < 2; i++) {
                assertTrue(wait.await() > 0);
                PeerSocket ready = (PeerSocket) wait.events.attachment(0);
                assertEquals(1, ready.read(ByteBuffer.allocate(1)));
            }
        }
    }

    /**
     * One descriptor is enough for the bell that a thread waits for: the link stays although the other bell has none.
     */
    @Test
    void aThreadThatHasItsDescriptorDoesNotWaitForTheOthers() throws Exception {
        UnixSocket[] other = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        try (RawPeer raw = connect(1)) {
            hoard();
            announce(raw, LinkMessageDescriptor.BELL);
            raw.say(LinkMessageDescriptor.BELL, 2, 0, other[1].fd());
            poor.send("write");
            poor.expect("WROTE");
            poor.send("release one");
            awaitRing(raw);
            TimeUnit.SECONDS.sleep(LONGER_THAN_PATIENCE_S);
            assertEquals(0, raw.peer.getAcquire(LinkMemoryDescriptor.GIVEN_UP_OFFSET));
            poor.send("release");
            poor.send("use");
            raw.sayState(SLOT, 1, LinkMemoryDescriptor.FIN | LinkMemoryDescriptor.CLOSED);
            assertEquals("normally", poor.expect("ENDED"));
        } finally {
            other[0].close();
            other[1].close();
        }
    }

    /** As with TCP, a reset is not delayed. */
    @Test
    void aReaderThatWaitsForDescriptorsReceivesAReset() throws Exception {
        try (RawPeer raw = connect(1)) {
            hoard();
            announce(raw, LinkMessageDescriptor.RING);
            poor.send("use");
            raw.sayState(SLOT, 1, LinkMemoryDescriptor.RESET | LinkMemoryDescriptor.CLOSED);
            assertTrue(poor.expect("ENDED").startsWith("ECONNRESET"), () -> "it said " + poor.said());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {LinkMessageDescriptor.BELL, LinkMessageDescriptor.RING})
    void theLinkEndsAndBothEndsAreResetIfThereNeverAre(int type) throws Exception {
        try (RawPeer first = connect(1)) {
            // Make the process load all classes that the failure without descriptors needs.
            first.say(99, 0, 0);
            announce(first, type);
            poor.send("use");
            assertTrue(poor.expect("ENDED").startsWith("EPROTO"), () -> "it said " + poor.said());
            first.awaitEnd();
        }
        try (RawPeer raw = connect(1)) {
            hoard();
            announce(raw, type);
            poor.send("use");
            String ended = poor.expect("ENDED");
            assertTrue(ended.startsWith("EPROTO") && ended.contains("EMFILE"), ended);
            raw.awaitEnd();
            assertEquals(1, raw.peer.getAcquire(LinkMemoryDescriptor.GIVEN_UP_OFFSET));
        }
        // A client that comes before the process has closed its hoard is refused.
        await().ignoreExceptionsInstanceOf(IOException.class)
                .untilAsserted(() -> connect(1).close());
    }

    /** Serves one connection after the other, and obeys the commands of its input. */
    static final class Poor {
        private static final BufferedReader INPUT =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        private static final ArrayDeque<EventFd> HOARD = new ArrayDeque<>();

        private Poor() {}

        public static void main(String[] arguments) throws Exception {
            loadAll();
            try (PeerNetwork network = new PeerNetwork(10_000);
                    PeerListener listener = network.listen(TestAddresses.loopback(PORT), 8)) {
                System.out.println("LISTENING");
                while (true) {
                    release();
                    serve(listener);
                }
            }
        }

        /** Loads all classes now: one whose loading fails for lack of a descriptor stays missing. */
        private static void loadAll() throws Exception {
            Path root = Path.of(PeerNetwork.class
                    .getProtectionDomain()
                    .getCodeSource()
                    .getLocation()
                    .toURI());
            try (Stream<Path> files = Files.walk(root)) {
                for (Path file : files.toList()) {
                    String name = root.relativize(file).toString();
                    if (name.matches("io/pipedevice/(lib|linux|memory|peer)/[^-]*\\.class")) {
                        Class.forName(name.substring(0, name.length() - 6).replace('/', '.'));
                    }
                }
            }
        }

        private static PeerSocket accept(PeerListener listener) throws PdException {
            PeerSocket socket = listener.accept();
            while (socket == null) {
                Thread.onSpinWait();
                socket = listener.accept();
            }
            System.out.println("ACCEPTED");
            return socket;
        }

        private static void serve(PeerListener listener) throws IOException {
            List<PeerSocket> sockets = new ArrayList<>(List.of(accept(listener)));
            String order = order();
            while (!order.startsWith("use")) {
                switch (order) {
                    case "accept" -> sockets.add(accept(listener));
                    case "write" -> write(sockets);
                    case "hoard" -> hoard();
                    case "release" -> release();
                    case "release one" -> releaseOne();
                    default -> throw new IllegalArgumentException(order);
                }
                order = order();
            }
            use(sockets.getFirst(), order.endsWith("release soon"));
            sockets.forEach(PeerSocket::close);
        }

        private static String order() throws IOException {
            String order = INPUT.readLine();
            if (order == null) {
                System.exit(3);
            }
            return order;
        }

        private static void write(List<PeerSocket> sockets) throws PdException {
            for (PeerSocket socket : sockets) {
                socket.write(ByteBuffer.allocate(1));
            }
            System.out.println("WROTE");
        }

        private static void hoard() {
            try {
                synchronized (HOARD) {
                    while (true) {
                        HOARD.add(EventFd.open());
                    }
                }
            } catch (LinuxException e) {
                // No descriptor is left.
                System.out.println("HOARDS");
            }
        }

        private static void releaseSoon() {
            try {
                TimeUnit.MILLISECONDS.sleep(MOMENT_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            System.out.println("HAS DESCRIPTORS");
            release();
        }

        private static void releaseOne() {
            synchronized (HOARD) {
                HOARD.remove().close();
            }
        }

        private static void release() {
            synchronized (HOARD) {
                HOARD.forEach(EventFd::close);
                HOARD.clear();
            }
        }

        private static void use(PeerSocket socket, boolean releases) {
            try {
                socket.write(ByteBuffer.allocate(1));
                if (releases) {
                    Thread.ofPlatform().daemon().start(Poor::releaseSoon);
                }
                int reads = 0;
                int result = 0;
                while (result >= 0) {
                    socket.awaitReadable(Long.MAX_VALUE);
                    result = socket.read(ByteBuffer.allocate(1));
                    reads++;
                    if (result > 0) {
                        System.out.println("READS " + reads);
                        System.out.println("GOT " + result);
                    }
                }
                System.out.println("ENDED normally");
            } catch (PdException e) {
                System.out.println("ENDED " + Errno.name(e.errno()) + " " + e.getMessage());
            }
        }
    }
}
