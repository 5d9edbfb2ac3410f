// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.peer.link.ClientLink;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.test.Leaks;
import io.pipedevice.test.TestAddresses;
import io.pipedevice.test.Together;
import java.net.InetSocketAddress;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several threads use one network, and one listener, while others close them. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class PeerNetworkThreadsTest {
    private static final int PATIENCE_MS = 10_000;
    private static final int ROUNDS = 500;
    private static final InetSocketAddress SERVER = TestAddresses.loopback(1);

    private final Leaks leaks = new Leaks();
    private final PeerNetwork server = new PeerNetwork(PATIENCE_MS);
    private final PeerNetwork client = new PeerNetwork(PATIENCE_MS);

    @AfterEach
    void leavesNothing() {
        client.close();
        server.close();
        leaks.awaitNone();
    }

    private static InetSocketAddress from(int thread, int round) {
        return TestAddresses.loopback(1000 + thread * ROUNDS + round);
    }

    @Test
    void severalThreadsAcceptEachConnectionOnce() throws Exception {
        Set<InetSocketAddress> accepted = ConcurrentHashMap.newKeySet();
        try (PeerListener listener = server.listen(SERVER, 8)) {
            Together.run(thread -> {
                for (int round = 0; round < ROUNDS; round++) {
                    if (thread % 2 == 0) {
                        try (PeerSocket out = client.meet(SERVER).connect(from(thread, round), SERVER)) {
                            assertTrue(out.awaitReadable(Long.MAX_VALUE), "the end, when it was accepted and closed");
                        }
                    } else {
                        try (PeerSocket socket = listener.accept(Long.MAX_VALUE)) {
                            assertTrue(accepted.add(socket.peerAddress()), "accepted twice");
                        }
                    }
                }
            });
        }
        assertEquals(Together.THREADS / 2 * ROUNDS, accepted.size());
    }

    @Test
    void aNameHasOneListenerAtATimeWhileAnotherThreadConnects() throws Exception {
        AtomicBoolean over = new AtomicBoolean();
        AtomicBoolean mine = new AtomicBoolean();
        Together.run(thread -> {
            if (thread == 0) {
                for (int round = 0; round < ROUNDS; round++) {
                    connectIfSomebodyListens(from(thread, round));
                }
                over.set(true);
            }
            while (!over.get()) {
                listenIfNobodyDoes(mine);
            }
        });
        try (PeerListener listener = server.listen(SERVER, 8)) {
            await().ignoreException(PeerRefusal.class)
                    .until(() -> ((ClientLink) client.meet(listener.address())).isListening());
        }
    }

    private void connectIfSomebodyListens(InetSocketAddress from) {
        try {
            client.meet(SERVER).connect(from, SERVER).close();
        } catch (PeerRefusal e) {
            assertNotNull(e.reason(), "it has just closed");
        }
    }

    private void listenIfNobodyDoes(AtomicBoolean mine) throws PdException {
        PeerListener listener;
        try {
            listener = server.listen(SERVER, 8);
        } catch (PdException e) {
            assertEquals(Errno.EADDRINUSE, e.errno());
            return;
        }
        assertTrue(mine.compareAndSet(false, true), "two have the name");
        PeerSocket socket = listener.accept(TimeUnit.MICROSECONDS.toNanos(100));
        if (socket != null) {
            socket.close();
        }
        mine.set(false);
        listener.close();
    }

    @Test
    void aNetworkThatIsClosedUnderItsUsersKeepsNothing() throws Exception {
        for (int i = 0; i < 20; i++) {
            PeerNetwork network = new PeerNetwork(PATIENCE_MS);
            Together.run(thread -> {
                if (thread == 0) {
                    TimeUnit.MILLISECONDS.sleep(5);
                    network.close();
                } else {
                    listenUntilItIsClosed(network, thread);
                }
            });
        }
    }

    /** Listens until the network is closed. The network closes the listeners, and their links end with them. */
    private static void listenUntilItIsClosed(PeerNetwork network, int thread) {
        try {
            for (int round = 0; round < ROUNDS; round++) {
                InetSocketAddress own = from(thread, round);
                PeerListener listener = network.listen(own, 8);
                try (PeerSocket out = network.meet(own).connect(SERVER, own);
                        PeerSocket in = listener.accept(Long.MAX_VALUE)) {
                    assertEquals(out.localAddress(), in.peerAddress());
                }
            }
        } catch (IllegalStateException | PdException e) {
            assertTrue(network.isClosed(), e::toString);
        }
    }
}
