// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.EventFd;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.FileOfHoles;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Memory;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.link.ClientLink;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkMessage;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import io.pipedevice.peer.protocol.LinkPages;
import io.pipedevice.peer.protocol.PeerName;
import io.pipedevice.test.Leaks;
import io.pipedevice.test.RawPeer;
import io.pipedevice.test.TestAddresses;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Misbehaving peers at either end of a handshake: they are refused, none of their resources stay, and others are
 * served.
 */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class HandshakeTest {
    private static final int PATIENCE_MS = 10_000;

    /** How long a failed handshake is not repeated. */
    private static final long FORBEARANCE_NS = TimeUnit.SECONDS.toNanos(1);

    private final Leaks leaks = new Leaks();
    private final Disposal disposal = new Disposal();
    private final PeerNetwork network = new PeerNetwork(PATIENCE_MS);
    private final List<AutoCloseable> mine = new ArrayList<>();
    private PeerListener listener;
    private UnixSocket socket;
    private LinkMessage message;

    @BeforeEach
    void listen() throws IOException {
        listener = network.listen(TestAddresses.loopback(1), 8);
        message = new LinkMessage(disposal);
        socket = connect();
    }

    private UnixSocket connect() throws IOException {
        UnixSocket client = keep(UnixSocket.connect(UnixSocket.Type.SEQPACKET, PeerName.of(listener.address())));
        assertTrue(RawPeer.awaitReady(client, message));
        return client;
    }

    @AfterEach
    void othersAreServedAndNothingIsLeft() throws Exception {
        if (listener.isOpen()) {
            network.meet(listener.address())
                    .connect(TestAddresses.loopback(2), listener.address())
                    .close();
            listener.accept().close();
        }
        message.dropDescriptors();
        for (AutoCloseable each : mine) {
            each.close();
        }
        network.close();
        leaks.awaitNone();
    }

    private <T extends AutoCloseable> T keep(T resource) {
        mine.add(resource);
        return resource;
    }

    private SharedRegion memory(long size) throws IOException {
        SharedRegion region = keep(SharedRegion.create("pd-link", size, false));
        region.allocate(0, LinkMemoryDescriptor.HEADER_LENGTH);
        region.memory().set(ValueLayout.JAVA_LONG, LinkMemoryDescriptor.MAGIC_OFFSET, LinkMemoryDescriptor.MAGIC);
        region.memory().set(ValueLayout.JAVA_INT, LinkMemoryDescriptor.VERSION_OFFSET, LinkMemoryDescriptor.VERSION);
        return region;
    }

    private Fd bell() throws LinuxException {
        UnixSocket[] ends = UnixSocket.pair(UnixSocket.Type.SEQPACKET);
        keep(ends[0]);
        return keep(ends[1]).fd();
    }

    private void hello(long size, Fd... descriptors) throws LinuxException {
        assertTrue(message.send(socket, LinkMessageDescriptor.HELLO, 0, size, descriptors));
    }

    /** Waits for the answer, and returns its type; 0 if the link ends instead. */
    private int answer() throws LinuxException {
        int received = await().until(() -> message.receive(socket), length -> length != LinkMessage.NOTHING_YET);
        if (received == 0) {
            return 0;
        }
        assertTrue(message.isMessage(received));
        return message.type();
    }

    private void assertRefused(PeerRefusal.Reason reason) throws LinuxException {
        assertEquals(LinkMessageDescriptor.REFUSE, answer());
        assertEquals(reason, PeerRefusal.Reason.of(message.number()));
        assertEquals(0, answer());
    }

    @Test
    void aValidHelloIsAnsweredWithAWelcome() throws Exception {
        hello(LinkPages.length(), memory(LinkPages.length()).fd(), bell());
        assertEquals(LinkMessageDescriptor.WELCOME, answer());
        assertEquals(2, message.descriptors());
        assertEquals(LinkPages.length(), message.size());
        SharedRegion.attach(message.take(0), message.size()).close();
    }

    @Test
    void anotherMagicIsRefused() throws Exception {
        sayFirst(LinkMessageDescriptor.MAGIC + 1, LinkMessageDescriptor.VERSION, LinkMessageDescriptor.LENGTH);
        assertRefused(PeerRefusal.Reason.HANDSHAKE_FAILED);
    }

    @Test
    void anotherVersionIsRefused() throws Exception {
        sayFirst(LinkMessageDescriptor.MAGIC, LinkMessageDescriptor.VERSION + 1, LinkMessageDescriptor.LENGTH);
        assertRefused(PeerRefusal.Reason.VERSION);
    }

    @Test
    void aShortMessageIsRefused() throws Exception {
        sayFirst(LinkMessageDescriptor.MAGIC, LinkMessageDescriptor.VERSION, LinkMessageDescriptor.LENGTH - 1);
        assertRefused(PeerRefusal.Reason.HANDSHAKE_FAILED);
    }

    @Test
    void aLongMessageIsNotAnswered() throws Exception {
        sayFirst(LinkMessageDescriptor.MAGIC, LinkMessageDescriptor.VERSION, LinkMessageDescriptor.LENGTH + 1);
        LinuxException end = assertThrows(LinuxException.class, this::answer);
        assertEquals(Errno.ECONNRESET, end.errno());
    }

    private void sayFirst(long magic, int version, int length) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment bytes = arena.allocate(LinkMessageDescriptor.LENGTH * 2, Long.BYTES);
            bytes.set(ValueLayout.JAVA_LONG, LinkMessageDescriptor.MAGIC_OFFSET, magic);
            bytes.set(ValueLayout.JAVA_INT, LinkMessageDescriptor.VERSION_OFFSET, version);
            bytes.set(ValueLayout.JAVA_INT, LinkMessageDescriptor.TYPE_OFFSET, LinkMessageDescriptor.HELLO);
            socket.send(bytes, 0, length);
        }
    }

    @Test
    void memoryThatIsNotSealedIsRefused() throws Exception {
        Fd open = keep(Memory.memfd("pd-open", Memory.PageSize.NORMAL));
        Memory.resize(open, LinkPages.length());
        Memory.addSeals(open, Memory.SEAL_SHRINK | Memory.SEAL_GROW | Memory.SEAL_SEAL);
        hello(LinkPages.length(), open, bell());
        assertRefused(PeerRefusal.Reason.HANDSHAKE_FAILED);
    }

    @Test
    void memoryOfAnotherSizeIsRefused() throws Exception {
        hello(LinkPages.length(), memory(LinkPages.length() - Memory.pageSize()).fd(), bell());
        assertRefused(PeerRefusal.Reason.HANDSHAKE_FAILED);
    }

    @Test
    void aHelloThatDeclaresAnotherMemorySizeIsRefused() throws Exception {
        hello(LinkPages.length() * 2, memory(LinkPages.length() * 2).fd(), bell());
        assertRefused(PeerRefusal.Reason.HANDSHAKE_FAILED);
    }

    @Test
    void memoryWhosePagesLieBehindItsEndIsRefusedAndGetsNone() throws Exception {
        FileOfHoles holes = keep(FileOfHoles.create(LinkPages.length(), SharedRegion.REQUIRED_SEALS));
        hello(LinkPages.length(), holes.fd(), bell());
        assertRefused(PeerRefusal.Reason.HANDSHAKE_FAILED);
        holes.freeBehindEnd();
        assertEquals(0, Memory.status(holes.fd()).allocatedBytes());
    }

    @Test
    void memoryWithoutAHeaderIsRefused() throws Exception {
        SharedRegion empty = keep(SharedRegion.create("pd-link", LinkPages.length(), false));
        hello(LinkPages.length(), empty.fd(), bell());
        assertRefused(PeerRefusal.Reason.HANDSHAKE_FAILED);
    }

    @Test
    void descriptorsOfOtherKindsAreRefused() throws Exception {
        hello(LinkPages.length(), keep(EventFd.open()).fd(), bell());
        assertRefused(PeerRefusal.Reason.HANDSHAKE_FAILED);
    }

    @Test
    void aDescriptorThatIsNoBellIsRefused() throws Exception {
        hello(
                LinkPages.length(),
                memory(LinkPages.length()).fd(),
                keep(EventFd.open()).fd());
        assertRefused(PeerRefusal.Reason.HANDSHAKE_FAILED);
    }

    @Test
    void aBellOfAnotherTypeIsRefused() throws Exception {
        UnixSocket[] stream = UnixSocket.pair(UnixSocket.Type.STREAM);
        keep(stream[0]);
        hello(
                LinkPages.length(),
                memory(LinkPages.length()).fd(),
                keep(stream[1]).fd());
        assertRefused(PeerRefusal.Reason.HANDSHAKE_FAILED);
    }

    @Test
    void tooFewAndTooManyDescriptorsAreRefused() throws Exception {
        Fd memory = memory(LinkPages.length()).fd();
        hello(LinkPages.length(), memory);
        assertRefused(PeerRefusal.Reason.HANDSHAKE_FAILED);
        socket = connect();
        hello(LinkPages.length(), memory, bell(), bell());
        assertRefused(PeerRefusal.Reason.HANDSHAKE_FAILED);
    }

    @Test
    void anotherFirstMessageIsRefused() throws Exception {
        assertTrue(message.send(socket, LinkMessageDescriptor.WELCOME, 0, 0));
        assertRefused(PeerRefusal.Reason.HANDSHAKE_FAILED);
    }

    @Test
    void aSilentClientIsDisconnectedAfterTheTimeout() throws Exception {
        assertEquals(0, answer());
    }

    @Test
    void theNumberOfSilentClientsIsLimited() throws Exception {
        for (int i = 0; i <= Newcomers.MAX_SILENT; i++) {
            connect();
        }
        assertEquals(0, answer());
    }

    @Test
    void aSilentClientIsDisconnectedWhenTheListenerCloses() throws Exception {
        // The silent client was accepted, because a later one was served.
        network.meet(listener.address());
        listener.close();
        try {
            assertEquals(0, answer());
        } catch (LinuxException e) {
            assertEquals(Errno.ECONNRESET, e.errno());
        }
    }

    /** A listener that never answers its clients. */
    private UnixSocket silent() throws LinuxException {
        return silent(3);
    }

    private UnixSocket silent(int port) throws LinuxException {
        UnixSocket silent =
                keep(UnixSocket.listen(UnixSocket.Type.SEQPACKET, PeerName.of(TestAddresses.loopback(port)), 8));
        silent.nonBlocking(true);
        return silent;
    }

    /** Makes a handshake fail because there is no answer. Returns the server's end of it. */
    private UnixSocket unanswered(PeerNetwork hasty, UnixSocket silent) throws LinuxException {
        assertEquals(PeerRefusal.Reason.HANDSHAKE_FAILED, refusal(hasty, 3).reason());
        return keep(silent.accept());
    }

    @Test
    void aListenerThatDoesNotAnswerGetsOneHandshake() throws Exception {
        UnixSocket silent = silent();
        try (PeerNetwork hasty = new PeerNetwork(50)) {
            unanswered(hasty, silent);
            for (int i = 0; i < 3; i++) {
                assertEquals(
                        PeerRefusal.Reason.HANDSHAKE_FAILED, refusal(hasty, 3).reason());
                assertEquals(null, silent.accept(), "asked again");
            }
        }
    }

    @Test
    void virtualThreadsRunWhileOthersWaitForAnswers() throws Exception {
        List<Thread> waiting = new ArrayList<>();
        try (PeerNetwork patient = new PeerNetwork(10_000)) {
            for (int i = 0; i < Runtime.getRuntime().availableProcessors(); i++) {
                int port = 3 + i;
                UnixSocket silent = silent(port);
                waiting.add(Thread.ofVirtual().start(() -> refusal(patient, port)));
                await().until(() -> isAsked(silent));
            }
            Thread.ofVirtual().start(() -> {}).join();
            assertTrue(waiting.stream().allMatch(Thread::isAlive), "it ran when the others were done");
        }
        for (Thread thread : waiting) {
            thread.join();
        }
    }

    private boolean isAsked(UnixSocket silent) throws LinuxException {
        UnixSocket client = silent.accept();
        return client != null && keep(client) != null;
    }

    @Test
    void aLateAnswerOfAListenerCompletesTheHandshake() throws Exception {
        UnixSocket silent = silent();
        try (PeerNetwork hasty = new PeerNetwork(50)) {
            UnixSocket client = unanswered(hasty, silent);
            SharedRegion region = memory(LinkPages.length());
            region.memory().set(ValueLayout.JAVA_LONG, LinkMemoryDescriptor.LISTENING_OFFSET, 1);
            Fd memory = region.fd();
            assertTrue(message.send(client, LinkMessageDescriptor.WELCOME, 0, LinkPages.length(), memory, bell()));
            await().ignoreException(PeerRefusal.class)
                    .until(() -> ((ClientLink) hasty.meet(TestAddresses.loopback(3))).isListening());
            assertEquals(null, silent.accept(), "asked again");
        }
    }

    @Test
    void aListenerThatEndedWithoutAnAnswerIsRetriedAfterAWhile() throws Exception {
        UnixSocket silent = silent();
        try (PeerNetwork hasty = new PeerNetwork(50)) {
            long[] endedNs = {System.nanoTime()};
            unanswered(hasty, silent).close();
            await().until(() -> {
                boolean isRemembered = refusal(hasty, 3).getMessage().contains("a moment ago");
                UnixSocket again = silent.accept();
                if (again != null) {
                    // This thread was so late that the failure was forgotten.
                    assertTrue(System.nanoTime() - endedNs[0] > FORBEARANCE_NS, "asked again at once");
                    endedNs[0] = System.nanoTime();
                    again.close();
                }
                return isRemembered && again == null;
            });
            assertEquals(null, silent.accept(), "asked again at once");
            await().until(() -> {
                refusal(hasty, 3);
                return isAsked(silent);
            });
        }
    }

    @Test
    void aListenerIsNotWaitedForByANetworkThatIsClosed() throws Exception {
        UnixSocket silent = silent();
        UnixSocket client;
        try (PeerNetwork hasty = new PeerNetwork(50)) {
            client = unanswered(hasty, silent);
            assertTrue(message.receive(client) > 0);
            assertEquals(LinkMessage.NOTHING_YET, message.receive(client));
        }
        await().until(() -> message.receive(client) == 0);
    }

    @Test
    void aListenerThatAnswersNonsenseIsGivenUp() throws Exception {
        UnixSocket stranger =
                keep(UnixSocket.listen(UnixSocket.Type.SEQPACKET, PeerName.of(TestAddresses.loopback(3)), 8));
        FutureTask<Boolean> liar = new FutureTask<>(() -> {
            try (UnixSocket client = stranger.accept()) {
                LinkMessage hello = new LinkMessage(disposal);
                await().until(() -> hello.receive(client) != LinkMessage.NOTHING_YET);
                hello.dropDescriptors();
                return new LinkMessage(disposal)
                        .send(client, LinkMessageDescriptor.WELCOME, 0, LinkPages.length(), client.fd(), client.fd());
            }
        });
        Thread.ofPlatform().start(liar);
        assertEquals(PeerRefusal.Reason.HANDSHAKE_FAILED, refusal(network, 3).reason());
        assertTrue(liar.get());
    }

    private static PeerRefusal refusal(PeerNetwork from, int port) {
        return assertThrows(PeerRefusal.class, () -> from.meet(TestAddresses.loopback(port)));
    }

    @Test
    void theTimeoutIsChecked() {
        try {
            for (String wrong : new String[] {"0", "10001", "soon", ""}) {
                System.setProperty(HandshakeTimeout.PROPERTY, wrong);
                IllegalArgumentException e = assertThrows(IllegalArgumentException.class, PeerNetwork::new);
                assertEquals("pipedevice.handshake.millis = " + wrong + "; allowed: 1 to 10000", e.getMessage());
            }
            System.setProperty(HandshakeTimeout.PROPERTY, "10000");
            new PeerNetwork().close();
        } finally {
            System.clearProperty(HandshakeTimeout.PROPERTY);
        }
    }
}
