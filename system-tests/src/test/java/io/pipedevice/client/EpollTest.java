// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.test.Asleep;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The events that an epoll instance reports, level- and edge-triggered, busy and asleep. */
@Timeout(60)
class EpollTest {
    private static final long MILLIS_30 = TimeUnit.MILLISECONDS.toNanos(30);

    private final PdEvents events = new PdEvents(64);
    private Attached attached;
    private PdEpoll epoll;

    @BeforeEach
    void attach() throws IOException {
        attached = new Attached();
        epoll = attached.server.epoll();
    }

    @AfterEach
    void detach() {
        epoll.close();
        attached.close();
    }

    /** Waits for one event of one socket. */
    private int await(PdSocket socket) throws PdException {
        assertEquals(1, epoll.await(events, Attached.PATIENCE_NS), "events");
        assertSame(socket, events.socket(0));
        return events.events(0);
    }

    private void assertNothing() throws PdException {
        assertEquals(0, epoll.await(events, 0));
        assertEquals(0, epoll.await(events, MILLIS_30));
    }

    @Test
    void levelIsReportedAsLongAsItLasts() throws PdException {
        try (Attached.Pair pair = attached.pair()) {
            epoll.add(pair.server, PdEpoll.IN, null);
            assertNothing();
            Bytes.send(pair.client, "data");
            for (int i = 0; i < 200; i++) {
                assertEquals(PdEpoll.IN, await(pair.server));
            }
            assertEquals("data", Bytes.receiveText(pair.server, 4));
            assertNothing();
            Bytes.send(pair.client, "more");
            assertEquals(PdEpoll.IN, await(pair.server));
        }
    }

    @Test
    void edgeIsReportedOnce() throws PdException {
        try (Attached.Pair pair = attached.pair()) {
            epoll.add(pair.server, PdEpoll.IN | PdEpoll.ET, null);
            Bytes.send(pair.client, "data");
            assertEquals(PdEpoll.IN, await(pair.server));
            assertNothing();
            Bytes.send(pair.client, "more");
            assertEquals(PdEpoll.IN, await(pair.server));
            assertNothing();
            assertEquals("datamore", Bytes.receiveText(pair.server, 8));
            assertNothing();
            epoll.modify(pair.server, PdEpoll.IN | PdEpoll.ET);
            assertNothing();
            pair.client.close();
            assertEquals(PdEpoll.IN, await(pair.server));
            assertNothing();
        }
    }

    @Test
    void modifyMakesALevelAnEdgeAgain() throws PdException {
        try (Attached.Pair pair = attached.pair()) {
            epoll.add(pair.server, PdEpoll.IN | PdEpoll.ET, null);
            Bytes.send(pair.client, "data");
            assertEquals(PdEpoll.IN, await(pair.server));
            epoll.modify(pair.server, PdEpoll.IN | PdEpoll.OUT | PdEpoll.ET);
            assertEquals(PdEpoll.IN | PdEpoll.OUT, await(pair.server));
            assertNothing();
            epoll.modify(pair.server, PdEpoll.OUT);
            assertEquals(PdEpoll.OUT, await(pair.server));
            epoll.modify(pair.server, 0);
            assertNothing();
        }
    }

    @Test
    void roomIsReportedWhenSendsComplete() throws PdException {
        for (int edge : new int[] {0, PdEpoll.ET}) {
            try (Attached.Pair pair = attached.pair(16384)) {
                epoll.add(pair.server, PdEpoll.OUT | edge, null);
                assertEquals(PdEpoll.OUT, await(pair.server));
                PdBuffer buffer = new PdBuffer();
                while (pair.server.malloc(1024, buffer, MILLIS_30)) {
                    assertEquals(1024, pair.server.send(buffer, 1024));
                    pair.server.free(buffer);
                }
                epoll.await(events, 0);
                assertFalse(pair.server.malloc(1024, buffer));
                assertNothing();
                Bytes.receive(pair.client, 16384);
                assertEquals(PdEpoll.OUT, await(pair.server));
                assertTrue(pair.server.malloc(4096, buffer));
                pair.server.free(buffer);
            }
        }
    }

    @Test
    void roomIsReportedWhenABlockIsFreed() throws PdException {
        try (Attached.Pair pair = attached.pair()) {
            int ring = pair.server.getOption(StandardSocketOptions.SO_SNDBUF);
            epoll.add(pair.server, PdEpoll.OUT | PdEpoll.ET, null);
            assertEquals(PdEpoll.OUT, await(pair.server));
            PdBuffer all = new PdBuffer();
            assertTrue(pair.server.malloc(ring, all));
            assertFalse(pair.server.malloc(1, new PdBuffer()));
            assertNothing();
            pair.server.free(all);
            assertEquals(PdEpoll.OUT, await(pair.server));
        }
    }

    @Test
    void connectionsAreReported() throws PdException {
        try (PdSocket listener = attached.listen(8)) {
            epoll.add(listener, PdEpoll.IN, null);
            assertNothing();
            attached.client.socket().connect(listener.localAddress());
            assertEquals(PdEpoll.IN, await(listener));
            assertTrue(listener.accept().isOpen());
            assertNull(listener.accept());
            assertNothing();
        }
    }

    @Test
    void connectionsAreEdges() throws PdException {
        try (PdSocket listener = attached.listen(8)) {
            epoll.add(listener, PdEpoll.IN | PdEpoll.ET, null);
            for (int i = 0; i < 3; i++) {
                attached.client.socket().connect(listener.localAddress());
                assertEquals(PdEpoll.IN, await(listener));
                assertNothing();
                assertTrue(listener.accept().isOpen());
                assertNull(listener.accept());
            }
        }
    }

    @Test
    void endOfStreamAndReset() throws PdException {
        try (Attached.Pair pair = attached.pair();
                Attached.Pair other = attached.pair()) {
            epoll.add(pair.server, PdEpoll.IN | PdEpoll.RDHUP, null);
            pair.client.shutdownOutput();
            assertEquals(PdEpoll.IN | PdEpoll.RDHUP, await(pair.server));
            pair.server.shutdownOutput();
            assertEquals(PdEpoll.IN | PdEpoll.RDHUP | PdEpoll.HUP, await(pair.server));
            epoll.remove(pair.server);
            epoll.add(other.server, 0, "watched for nothing");
            assertNothing();
            other.client.abort();
            assertEquals(PdEpoll.ERR | PdEpoll.HUP, await(other.server));
            assertEquals("watched for nothing", events.attachment(0));
        }
    }

    @Test
    void socketIsWatchedBeforeItIsConnected() throws PdException {
        try (PdSocket listener = attached.listen(1);
                PdEpoll clients = attached.client.epoll();
                PdSocket client = attached.client.socket()) {
            clients.add(client, PdEpoll.IN | PdEpoll.OUT, null);
            assertEquals(0, clients.await(events, MILLIS_30));
            client.connect(listener.localAddress());
            assertEquals(1, clients.await(events, Attached.PATIENCE_NS));
            assertEquals(PdEpoll.OUT, events.events(0));
        }
    }

    @Test
    void closedSocketLeaves() throws PdException {
        try (Attached.Pair pair = attached.pair()) {
            epoll.add(pair.server, PdEpoll.IN | PdEpoll.OUT, null);
            assertEquals(PdEpoll.OUT, await(pair.server));
            pair.server.close();
            assertNothing();
        }
    }

    @Test
    void removedSocketIsSilent() throws PdException {
        try (Attached.Pair pair = attached.pair()) {
            epoll.add(pair.server, PdEpoll.IN, null);
            assertNothing();
            epoll.remove(pair.server);
            Bytes.send(pair.client, "unheard");
            assertNothing();
            epoll.add(pair.server, PdEpoll.IN, null);
            assertEquals(PdEpoll.IN, await(pair.server));
        }
    }

    @Test
    void everyReadySocketGetsItsTurn() throws PdException {
        List<Attached.Pair> pairs = new ArrayList<>();
        PdEvents three = new PdEvents(3);
        Set<PdSocket> seen = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            Attached.Pair pair = attached.pair(4096);
            pairs.add(pair);
            epoll.add(pair.server, PdEpoll.IN, null);
            Bytes.send(pair.client, "x");
        }
        long start = System.nanoTime();
        while (seen.size() < 20 && System.nanoTime() - start < Attached.PATIENCE_NS) {
            int count = epoll.await(three, Attached.PATIENCE_NS);
            for (int k = 0; k < count; k++) {
                seen.add(three.socket(k));
            }
        }
        assertEquals(20, seen.size());
        pairs.forEach(Attached.Pair::close);
    }

    @Test
    void socketOfSeveralInstancesIsReportedByEach() throws PdException {
        try (PdEpoll second = attached.server.epoll();
                PdEpoll third = attached.server.epoll();
                Attached.Pair pair = attached.pair()) {
            epoll.add(pair.server, PdEpoll.IN, null);
            second.add(pair.server, PdEpoll.OUT, null);
            third.add(pair.server, PdEpoll.IN | PdEpoll.OUT, "third");
            assertNothing();
            assertEquals(1, second.await(events, Attached.PATIENCE_NS));
            assertEquals(PdEpoll.OUT, events.events(0));
            Bytes.send(pair.client, "data");
            assertEquals(PdEpoll.IN, await(pair.server));
            assertEquals(1, third.await(events, Attached.PATIENCE_NS));
            assertEquals(PdEpoll.IN | PdEpoll.OUT, events.events(0));
            assertEquals("third", events.attachment(0));
            assertTrue(third.discard(pair.server));
            assertFalse(third.discard(pair.server));
            assertEquals(0, third.await(events, 0));
            assertEquals(PdEpoll.IN, await(pair.server));
            assertEquals("data", Bytes.receiveText(pair.server, 4));
            assertNothing();
            pair.server.close();
            assertEquals(0, second.await(events, 0));
        }
    }

    /** The instance that armed last does not wait any more when the data arrive. */
    @Test
    void instanceIsWokenWhileAnotherThatArmedAfterItIsAway() throws Exception {
        try (PdEpoll second = attached.server.epoll();
                Attached.Pair pair = attached.pair()) {
            epoll.add(pair.server, PdEpoll.IN, null);
            second.add(pair.server, PdEpoll.IN, null);
            FutureTask<Integer> waiting = Asleep.start(() -> epoll.await(events, PipeDevice.FOREVER));
            PdEvents others = new PdEvents(1);
            // The second arms after it.
            assertEquals(0, second.await(others, MILLIS_30));
            Bytes.send(pair.client, "data");
            assertEquals(1, waiting.get(50, TimeUnit.SECONDS));
        }
    }

    @Test
    void twoInstancesShareTheDriversEvents() throws Exception {
        try (PdEpoll second = attached.server.epoll();
                Attached.Pair one = attached.pair();
                Attached.Pair two = attached.pair()) {
            epoll.add(one.server, PdEpoll.IN, null);
            second.add(two.server, PdEpoll.IN, null);
            List<FutureTask<Void>> tasks = List.of(
                    new FutureTask<>(() -> echo(second, two.server), null),
                    new FutureTask<>(() -> pingPong(one.client), null),
                    new FutureTask<>(() -> pingPong(two.client), null));
            tasks.forEach(Thread.ofPlatform().daemon()::start);
            echo(epoll, one.server);
            for (FutureTask<Void> task : tasks) {
                task.get(20, TimeUnit.SECONDS);
            }
        }
    }

    private static void echo(PdEpoll epoll, PdSocket socket) {
        PdEvents events = new PdEvents(4);
        try {
            for (int i = 0; i < 2000; i++) {
                assertEquals(1, epoll.await(events, TimeUnit.SECONDS.toNanos(10)), "lost in round " + i);
                Bytes.send(socket, Bytes.receive(socket, 1));
            }
        } catch (PdException e) {
            throw new AssertionError(e);
        }
    }

    private static void pingPong(PdSocket socket) {
        try {
            for (int i = 0; i < 2000; i++) {
                Bytes.send(socket, new byte[] {(byte) i});
                assertEquals((byte) i, Bytes.receive(socket, 1)[0]);
            }
        } catch (PdException e) {
            throw new AssertionError(e);
        }
    }
}
