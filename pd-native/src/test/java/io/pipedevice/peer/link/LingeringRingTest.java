// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.rendezvous.NetworkProbe;
import io.pipedevice.peer.rendezvous.PeerListener;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.peer.stream.StreamProbe;
import io.pipedevice.peer.wait.Bell;
import io.pipedevice.peer.wait.Dispatcher;
import io.pipedevice.peer.wait.WaitProbe;
import io.pipedevice.test.HeldWatch;
import io.pipedevice.test.Leaks;
import io.pipedevice.test.RawPeer;
import io.pipedevice.test.TestAddresses;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A peer rings with a descriptor whose close blocks: that of a TCP socket with SO_LINGER whose own peer reads nothing.
 * The thread that receives the ring must not block.
 */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class LingeringRingTest {
    private static final int PATIENCE_MS = 10_000;
    private static final int LINGER_S = 90;

    /** Much less than {@link #LINGER_S}, and much more than any step takes. */
    private static final int SOON_S = 20;

    static {
        try {
            // At the first close of a channel the JVM opens a descriptor, which it keeps.
            Pipe pipe = Pipe.open();
            pipe.sink().close();
            pipe.source().close();
        } catch (IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final Leaks leaks = new Leaks();
    private final PeerNetwork network = NetworkProbe.network(PATIENCE_MS);
    private final PeerNetwork honest = NetworkProbe.network(PATIENCE_MS);
    private PeerListener listener;
    private PeerSocket honestOut;
    private PeerSocket honestIn;
    private RawPeer raw;
    private PeerSocket in;
    private ServerSocketChannel deaf;
    private SocketChannel lingering;
    private Fd trap;

    @BeforeEach
    void connect() throws Exception {
        listener = network.listen(TestAddresses.loopback(1), 4);
        honestOut = honest.meet(listener.address()).connect(TestAddresses.loopback(2), listener.address());
        honestIn = listener.accept();
        raw = RawPeer.meet(listener.address());
        raw.connect(3, 7, TestAddresses.loopback(3), listener.address());
        in = listener.accept();
        setTheTrap();
    }

    private void setTheTrap() throws IOException {
        deaf = ServerSocketChannel.open()
                .setOption(StandardSocketOptions.SO_RCVBUF, 4096)
                .bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Set<String> before = sockets();
        lingering = SocketChannel.open();
        Set<String> after = sockets();
        after.removeAll(before);
        assertEquals(1, after.size());
        trap = Fd.own(Integer.parseInt(after.iterator().next()));
        lingering.setOption(StandardSocketOptions.SO_LINGER, LINGER_S);
        lingering.setOption(StandardSocketOptions.SO_SNDBUF, 64 << 10);
        lingering.connect(deaf.getLocalAddress());
        lingering.configureBlocking(false);
        ByteBuffer bytes = ByteBuffer.allocate(64 << 10);
        while (lingering.write(bytes.clear()) > 0) {
            Thread.onSpinWait();
        }
    }

    private static Set<String> sockets() {
        Set<String> names = new HashSet<>();
        for (String name : new File("/proc/self/fd").list()) {
            if (target(name).startsWith("socket:")) {
                names.add(name);
            }
        }
        return names;
    }

    /** The target of a descriptor; empty for the one with which the directory was listed. */
    private static String target(String name) {
        try {
            return Files.readSymbolicLink(Path.of("/proc/self/fd", name)).toString();
        } catch (IOException e) {
            return "";
        }
    }

    @AfterEach
    void leavesNothing() throws IOException {
        WaitProbe.passRights(Dispatcher.bell(), false);
        // Resets the connection, so that the socket no longer lingers.
        deaf.close();
        lingering.close();
        raw.close();
        in.close();
        honestOut.close();
        honestIn.close();
        listener.close();
        honest.close();
        network.close();
        leaks.awaitNone();
    }

    /** Rings with the descriptor. Once the channel is closed too, the message has the only reference. */
    private void ring(UnixSocket bell) throws LinuxException {
        try (Arena arena = Arena.ofConfined()) {
            bell.sendBlocking(arena.allocate(10), 0, 10, trap);
        }
    }

    private UnixSocket ringingEnd(Bell bell) throws LinuxException {
        int number = StreamProbe.link(in).numberOf(bell);
        assertTrue(raw.receiveMessages());
        return raw.bells.get(number);
    }

    @Test
    void virtualThreadsAreWokenBehindIt() throws Exception {
        FutureTask<Integer> reader = new FutureTask<>(() -> {
            honestIn.awaitReadable(TimeUnit.SECONDS.toNanos(2 * LINGER_S));
            return honestIn.read(ByteBuffer.allocate(1));
        });
        Thread thread = Thread.ofVirtual().start(reader);
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        letTheWatchingThreadFindIt();
        honestOut.write(ByteBuffer.wrap(new byte[] {42}));
        assertEquals(1, reader.get(SOON_S, TimeUnit.SECONDS));
    }

    /** Lets the watching thread receive the message only when that has the only reference. */
    private void letTheWatchingThreadFindIt() throws Exception {
        WaitProbe.passRights(Dispatcher.bell(), true);
        HeldWatch.during(() -> {
            ring(raw.bells.get(PeerArmWord.DISPATCHER));
            lingering.close();
        });
    }

    @Test
    void aThreadWithItsOwnBellReceivesTheRing() throws Exception {
        try (Bell bell = WaitProbe.openBell()) {
            WaitProbe.passRights(bell, true);
            ring(ringingEnd(bell));
            lingering.close();
            assertTrue(CompletableFuture.supplyAsync(() -> WaitProbe.drain(bell, cookie -> {}))
                    .get(SOON_S, TimeUnit.SECONDS));
        }
    }

    @Test
    void aBellWithAnUnreadRingCanBeClosed() throws Exception {
        Bell bell = WaitProbe.openBell();
        WaitProbe.passRights(bell, true);
        ring(ringingEnd(bell));
        lingering.close();
        CompletableFuture.runAsync(bell::close).get(SOON_S, TimeUnit.SECONDS);
    }
}
