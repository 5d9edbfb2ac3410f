// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.peer.link.PeerRefusal;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.peer.wait.Dispatcher;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.Leaks;
import io.pipedevice.test.TestAddresses;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A process writes garbage wherever it can. Meanwhile this process uses its connections as programs do, and serves a
 * third process, which is not affected.
 */
@Tag("peer")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class HostilePeerTest {
    private static final int SECONDS = Integer.getInteger("pipedevice.test.hostile.seconds", 5);
    private static final long SEED = Long.getLong("pipedevice.test.seed", System.nanoTime());
    private static final int HANDSHAKE_MS = 1000;
    private static final int PROGRAMS = 3;
    private static final int PORT = FixedPort.HOSTILE.number();
    private static final int HOSTILE_PORT = FixedPort.HOSTILE_SERVER.number();
    private static final long PATIENCE_S = 90;

    private final Leaks leaks = new Leaks();
    private final Set<String> threadsBefore = threads();
    private final PeerNetwork network = new PeerNetwork(HANDSHAKE_MS);
    private final ConcurrentLinkedQueue<PeerSocket> strange = new ConcurrentLinkedQueue<>();
    private final List<Thread> threads = new ArrayList<>();
    private final ConcurrentLinkedQueue<Throwable> thrown = new ConcurrentLinkedQueue<>();
    private final AtomicInteger sockets = new AtomicInteger();
    private final AtomicInteger failures = new AtomicInteger();
    private final CyclicBarrier quiet = new CyclicBarrier(PROGRAMS + 1);
    private volatile boolean stop;
    private PeerListener listener;
    private ChildJvm honest;
    private ChildJvm hostile;

    @AfterEach
    void nothingIsLeft() throws Exception {
        stop = true;
        if (hostile != null) {
            hostile.close();
        }
        if (honest != null) {
            honest.close();
        }
        quiet.reset();
        for (Thread thread : threads) {
            thread.join();
        }
        strange.forEach(PeerSocket::close);
        network.close();
        Dispatcher.bell();
        leaks.awaitNone();
        Awaitility.await().untilAsserted(() -> assertTrue(threadsBefore.containsAll(threads())));
    }

    /** The threads that links start, without the watching thread, which stays. */
    private static Set<String> threads() {
        return Thread.getAllStackTraces().keySet().stream()
                .map(Thread::getName)
                .filter(name -> name.startsWith("pd-") && !name.equals("pd-watch"))
                .collect(Collectors.toSet());
    }

    @Test
    void survivesAHostileClient() throws Exception {
        run("CLIENT", PORT, this::accept);
    }

    @Test
    void survivesAHostileServer() throws Exception {
        run("SERVER", HOSTILE_PORT, this::connect);
    }

    private void run(String role, int port, BesiegedProgram.Source source) throws Exception {
        System.out.println("-Dpipedevice.test.seed=" + SEED + " -Dpipedevice.test.hostile.seconds=" + SECONDS);
        listener = network.listen(TestAddresses.loopback(PORT), 64);
        List<CompletableFuture<Long>> echoes = meetHonest();
        hostile = ChildJvm.start(
                HostilePeer.class,
                role,
                Integer.toString(port),
                Long.toString(SEED),
                Long.toString(TimeUnit.SECONDS.toMillis(SECONDS)));
        hostile.expect("READY");
        for (int i = 0; i < PROGRAMS; i++) {
            long seed = SEED + i;
            threads.add(Thread.ofPlatform().start(() -> besiege(source, seed)));
        }
        assertTrue(Awaitility.await()
                .atMost(SECONDS + PATIENCE_S, TimeUnit.SECONDS)
                .until(() -> hostile.hasSaid("MADE") || !hostile.isAlive() || !thrown.isEmpty(), done -> done));
        int links = thrown.isEmpty() ? Integer.parseInt(hostile.expect("MADE")) : 0;
        assertEquals(List.of(), List.copyOf(thrown));
        stop = true;
        quiet.await(PATIENCE_S, TimeUnit.SECONDS);
        assertEquals(List.of(), List.copyOf(thrown));
        assertListenerIsQuiet();
        assertStreamed(echoes);
        System.out.println(role + ": " + links + " links, " + sockets + " sockets, of which " + failures + " failed");
        assertTrue(failures.get() > 0 && failures.get() < sockets.get(), "no attack was detected, or all failed");
    }

    private List<CompletableFuture<Long>> meetHonest() throws Exception {
        honest = HonestPeer.start(PORT);
        List<CompletableFuture<Long>> echoes = new ArrayList<>();
        for (int i = 0; i < HonestPeer.CONNECTIONS; i++) {
            PeerSocket socket = Awaitility.await().until(listener::accept, accepted -> accepted != null);
            CompletableFuture<Long> echo = new CompletableFuture<>();
            echoes.add(echo);
            threads.add(Thread.ofPlatform().start(() -> {
                try {
                    echo.complete(HonestPeer.echo(socket));
                } catch (IOException | RuntimeException | Error e) {
                    thrown.add(e);
                    echo.completeExceptionally(e);
                }
            }));
        }
        honest.expect("CONNECTED");
        return echoes;
    }

    private void besiege(BesiegedProgram.Source source, long seed) {
        try {
            BesiegedProgram program = new BesiegedProgram(source, seed);
            try {
                while (!stop) {
                    program.step();
                }
                program.assertQuiet();
                quiet.await(PATIENCE_S, TimeUnit.SECONDS);
            } finally {
                sockets.addAndGet(program.sockets);
                failures.addAndGet(program.failures);
                program.close();
            }
        } catch (Throwable e) {
            thrown.add(e);
            quiet.reset();
        }
    }

    private PeerSocket accept() throws IOException {
        return listener.accept();
    }

    private final AtomicLong ports = new AtomicLong();

    private PeerSocket connect() throws IOException {
        try {
            int port = (int) (1 + ports.incrementAndGet() % 60_000);
            return network.meet(TestAddresses.loopback(HOSTILE_PORT))
                    .connect(TestAddresses.loopback(port), TestAddresses.loopback(HOSTILE_PORT));
        } catch (PeerRefusal e) {
            return null;
        }
    }

    /** Asserts that the listener becomes quiet: each pending connection can be accepted, or is dropped by accept. */
    private void assertListenerIsQuiet() throws IOException {
        for (int i = 0; listener.readiness(PdEpoll.IN) != 0; i++) {
            assertTrue(i < 10_000, "ready for ever");
            PeerSocket socket = listener.accept();
            if (socket != null) {
                strange.add(socket);
            }
        }
        assertNull(listener.accept());
    }

    private void assertStreamed(List<CompletableFuture<Long>> echoes) throws Exception {
        honest.send("stop");
        String verified = honest.expect("VERIFIED");
        assertEquals(0, honest.awaitEnd(), () -> "it said " + honest.said());
        long first = echoes.get(0).get(PATIENCE_S, TimeUnit.SECONDS);
        long second = echoes.get(1).get(PATIENCE_S, TimeUnit.SECONDS);
        assertEquals(verified, first + " " + second);
        assertTrue(first > 0 && second > 0, verified);
    }
}
