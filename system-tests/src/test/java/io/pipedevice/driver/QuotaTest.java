// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.control.Admission;
import io.pipedevice.driver.share.CounterType;
import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Memory;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.RingBuffer;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ControlMessage;
import io.pipedevice.protocol.LibPageDescriptor;
import io.pipedevice.queue.CommandType;
import io.pipedevice.test.DriverLog;
import io.pipedevice.wait.TokenBucket;
import java.io.IOException;
import java.net.StandardSocketOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A process gets no more of any resource than its quota, and one clear error beyond that. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
final class QuotaTest {
    private static final int RING = 4096;

    private static RawException refused(int errno, org.junit.jupiter.api.function.Executable step) {
        RawException refused = assertThrows(RawException.class, step);
        assertEquals(Errno.name(errno), Errno.name(refused.errno), refused.getMessage());
        return refused;
    }

    @Test
    void socketsOfAProcess() throws IOException {
        try (TestDriver driver = new TestDriver(new DriverContext().maxSockets(5));
                RawClient one = driver.attach();
                RawClient two = driver.attach()) {
            List<RawSocket> sockets = new ArrayList<>();
            for (int i = 0; i < 5; i++) {
                sockets.add(one.socket());
            }
            assertTrue(refused(Errno.ENOBUFS, one::socket).getMessage().contains("5 sockets"));
            RawSocket listener = two.listen(TestDriver.loopback(0), 8, RING);
            sockets.get(0).close();
            one.socket();
            refused(Errno.ENOBUFS, one::socket);
            // Connections that wait for accept are sockets of the listener's process.
            for (int i = 1; i < 5; i++) {
                sockets.get(i).connect(listener.local, RING, RING);
            }
            RawClient three = driver.attach();
            RawSocket last = three.socket();
            refused(Errno.ECONNREFUSED, () -> last.connect(listener.local, RING, RING));
            listener.accept(RING).close();
            TestDriver.await("room for another", () -> connects(last, listener));
            three.close();
        }
    }

    private static boolean connects(RawSocket socket, RawSocket listener) throws IOException {
        try {
            socket.connect(listener.local, RING, RING);
            return true;
        } catch (RawException e) {
            assertEquals(Errno.ECONNREFUSED, e.errno);
            return false;
        }
    }

    @Test
    void sendMemoryOfAProcess() throws IOException {
        long max = 4 << 20;
        try (TestDriver driver = new TestDriver(new DriverContext().maxMemory(max));
                RawClient one = driver.attach();
                RawClient two = driver.attach()) {
            long page = one.libPage.size();
            refused(Errno.ENOBUFS, () -> one.addRegion(max - page + 4096));
            int first = one.addRegion(max / 2);
            one.addRegion(max / 2 - page);
            RawException refused = refused(Errno.ENOBUFS, () -> one.addRegion(4096));
            assertTrue(refused.getMessage().contains(max + " of " + max), refused.getMessage());
            two.addRegion(max - page);
            one.removeRegion(first);
            one.addRegion(max / 2);
            assertEquals(2 * max, driver.counter(CounterType.PROCESS_SEND_MEMORY));
        }
    }

    @Test
    void receiveMemoryOfAProcess() throws IOException {
        try (TestDriver driver = new TestDriver(new DriverContext().maxMemory(9 << 20));
                RawClient server = driver.attach();
                RawClient client = driver.attach()) {
            RawSocket listener = server.listen(TestDriver.loopback(0), 64, RING);
            List<RawSocket> open = new ArrayList<>();
            open.add(client.socket().connect(listener.local, RING, RingBuffer.MAX_SIZE));
            open.add(client.socket().connect(listener.local, RING, RingBuffer.MAX_SIZE));
            RawSocket third = client.socket();
            RawException refused =
                    refused(Errno.ENOBUFS, () -> third.connect(listener.local, RING, RingBuffer.MAX_SIZE));
            assertTrue(
                    refused.getMessage().contains("exceed the quota of " + ((9 << 20) - client.driverPage.size())),
                    refused.getMessage());
            driver.awaitCounter(CounterType.CONNECTIONS, 2);
            open.get(0).abort();
            TestDriver.await("its release", open.get(0)::isReleased);
            third.connect(listener.local, RING, RingBuffer.MAX_SIZE);
        }
    }

    /** Whatever a process requests, it gets pages for at most its limit of sockets, and they count as its memory. */
    @Test
    void pagesOfAProcess() throws IOException {
        try (TestDriver driver = new TestDriver(new DriverContext().maxSockets(100));
                RawClient client = RawClient.attach(driver.driver, 64, 65_535)) {
            assertEquals(100, client.maxSockets);
            assertEquals(client.libPage.size(), driver.counter(CounterType.PROCESS_SEND_MEMORY));
            assertEquals(client.driverPage.size(), driver.counter(CounterType.PROCESS_RECEIVE_MEMORY));
            assertEquals(client.driverPage.size(), driver.counter(CounterType.MEMORY));
            client.listen(TestDriver.loopback(0), 1, RING);
        }
        try (TestDriver driver = new TestDriver(new DriverContext().maxMemory(4 << 20));
                RawClient client = RawClient.attach(driver.driver, 64, 30_000)) {
            assertTrue(client.driverPage.size() <= (4 << 20) / 8, "driver page of " + client.driverPage.size());
        }
    }

    /** Pages that the owner of a memory object has not allocated would become the driver's memory. */
    @Test
    void pagesThatTheOwnerHasNotAllocated() throws IOException {
        try (TestDriver driver = new TestDriver();
                RawClient client = driver.attach();
                RawControl control = new RawControl(driver.driver.connect());
                SharedRegion sparse = SharedRegion.create("sparse", LibPageDescriptor.length(1024, 65_535), false)) {
            control.request(ControlMessage.ATTACH).value(1024).socketId(65_535).argument(sparse.size());
            RawException refused = refused(Errno.ENOMEM, () -> RawClient.succeed(control.call(sparse.fd())));
            assertTrue(refused.getMessage().contains("not allocated"), refused.getMessage());
            assertEquals(0, Memory.status(sparse.fd()).allocatedBytes());
            // Only the ring that is used must be allocated.
            sparse.allocate(0, RING);
            client.request(ControlMessage.ADD_REGION).value(0).argument(sparse.size());
            client.call(sparse.fd());
            RawSocket listener = client.listen(TestDriver.loopback(0), 4, RING);
            connect(client, client.socket(), listener, 0);
            RawSocket second = client.socket();
            refused(Errno.ENOMEM, () -> connect(client, second, listener, RING));
            assertEquals(RING, Memory.status(sparse.fd()).allocatedBytes());
        }
    }

    @Test
    void pagesOfAGrowingRingThatTheOwnerHasNotAllocated() throws IOException {
        int start = 4096;
        int ring = 1 << 20;
        try (TestDriver driver = new TestDriver();
                RawClient client = driver.attach();
                SharedRegion sparse = SharedRegion.create("sparse", ring, false)) {
            sparse.allocate(0, 4L * start);
            client.request(ControlMessage.ADD_REGION).value(9).argument(sparse.size());
            client.call(sparse.fd());
            RawSocket listener = client.listen(TestDriver.loopback(0), 4, RING);
            RawSocket socket = client.socket();
            client.request(ControlMessage.CONNECT)
                    .socketId(socket.sid)
                    .peerAddress(listener.local)
                    .sendRing(9, 0, ring)
                    .receiveRingSize(RING)
                    .ringStart(start);
            client.receiveRing(client.call());
            socket.post(CommandType.SEND_RING_GREW, 0, 4 * start, 0);
            socket.post(CommandType.SEND, 4L * start - 1, 1, 0);
            RawSocket peer = listener.accept();
            assertEquals(1, peer.readFully(1).length);
            socket.post(CommandType.SEND_RING_GREW, 0, ring, 0);
            TestDriver.await("the reset", peer::isReset);
            assertEquals(4L * start, Memory.status(sparse.fd()).allocatedBytes());
        }
    }

    private static void connect(RawClient client, RawSocket socket, RawSocket listener, long offset)
            throws IOException {
        client.request(ControlMessage.CONNECT)
                .socketId(socket.sid)
                .peerAddress(listener.local)
                .sendRing(0, offset, RING)
                .receiveRingSize(RING);
        client.receiveRing(client.call());
    }

    @Test
    void descriptorsOfAProcess() throws IOException {
        int share = 100;
        List<UnixSocket> doorbells = new ArrayList<>();
        try (TestDriver driver = new TestDriver(new DriverContext().descriptorShare(share));
                RawClient one = driver.attach();
                RawClient two = driver.attach()) {
            for (int i = 0; i < share / 2; i++) {
                doorbells.add(one.addDoorbell());
            }
            refused(Errno.EMFILE, one::addDoorbell);
            for (int i = 0; i < share / 2; i++) {
                one.addRegion(4096);
            }
            RawException refused = refused(Errno.EMFILE, () -> one.addRegion(4096));
            assertTrue(refused.getMessage().contains(share + " doorbells and regions"), refused.getMessage());
            two.addDoorbell().close();
            one.removeRegion(0);
            one.addRegion(4096);
        } finally {
            doorbells.forEach(UnixSocket::close);
        }
    }

    @Test
    void moreThreadsMaySleepThanThereAreDescriptorsFor() throws Exception {
        int share = 8;
        List<FutureTask<Integer>> readers = new ArrayList<>();
        try (TestDriver driver = new TestDriver(new DriverContext().descriptorShare(share));
                PipeDevice many = PipeDevice.init(driver.driver);
                PipeDevice one = PipeDevice.init(driver.driver);
                PdSocket listener = many.socket()) {
            listener.setOption(StandardSocketOptions.SO_SNDBUF, RING).setOption(StandardSocketOptions.SO_RCVBUF, RING);
            listener.bind(TestDriver.loopback(0));
            listener.listen(2 * share);
            List<PdSocket> writers = new ArrayList<>();
            List<PdSocket> accepted = new ArrayList<>();
            for (int i = 0; i < 2 * share; i++) {
                writers.add(one.connect(listener.localAddress(), RING));
                accepted.add(listener.accept(TestDriver.PATIENCE_NS));
            }
            for (PdSocket socket : accepted) {
                FutureTask<Integer> reading =
                        new FutureTask<>(() -> socket.recv(1, new PdBuffer(), TestDriver.PATIENCE_NS));
                Thread.ofPlatform().daemon().start(reading);
                readers.add(reading);
            }
            TestDriver.await("a thread for which there is none", () -> driver.counter(CounterType.REFUSALS) > 0);
            for (PdSocket writer : writers) {
                PdBuffer block = new PdBuffer();
                assertTrue(writer.malloc(1, block));
                assertEquals(1, writer.send(block, 1));
            }
            for (FutureTask<Integer> reading : readers) {
                assertEquals(1, reading.get(20, TimeUnit.SECONDS));
            }
        }
    }

    @Test
    @SuppressWarnings("try")
    void connectionsOfAProcess() throws IOException {
        List<RawControl> connections = new ArrayList<>();
        try (TestDriver driver = new TestDriver();
                DriverLog log = new DriverLog()) {
            try {
                // One more connection is the test's own, for reading the counters.
                for (int i = 1; i < Admission.MAX_OF_PROCESS; i++) {
                    connections.add(
                            new RawControl(TestDriver.endpoint(driver.directory).connect()));
                }
                try (RawControl more =
                        new RawControl(TestDriver.endpoint(driver.directory).connect())) {
                    RawException refused = refused(Errno.EMFILE, more::receive);
                    assertTrue(refused.getMessage().contains("already has 16 connections"), refused.getMessage());
                    assertTrue(more.awaitEnd(30_000));
                }
                driver.attach().close();
                connections.removeLast().close();
                TestDriver.await("room for another", () -> {
                    try (RawClient another = RawClient.attach(TestDriver.endpoint(driver.directory))) {
                        return another.cid > 0;
                    } catch (IOException e) {
                        // The driver refused the connection; or reset it, if it closed before it had read the request.
                        return false;
                    }
                });
            } finally {
                connections.forEach(RawControl::close);
            }
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {10_000, 1_000_000})
    void whatAProcessMaySendPerSecond(long rate) throws IOException {
        try (TestDriver driver = new TestDriver(new DriverContext().rate(rate));
                RawPair pair = new RawPair(driver);
                RawPair other = new RawPair(driver)) {
            byte[] bytes = new byte[RawSocket.RING];
            long start = System.nanoTime();
            long received = 0;
            // Until the limit holds the sender up. A busy machine sends less than the rate for a while. If it cannot
            // send at all, the time limit of the test ends this loop.
            while (received < 3 * TokenBucket.burst(rate) || driver.counter(CounterType.THROTTLED) == 0) {
                pair.near.write(bytes, 0, bytes.length);
                received += Math.max(0, pair.far.read(bytes));
            }
            double seconds = (System.nanoTime() - start) / 1e9;
            long allowed = TokenBucket.burst(rate) + (long) (rate * seconds);
            assertTrue(received <= allowed + 1, "received " + received + " bytes in " + seconds + " s");
            driver.awaitAtLeast(CounterType.THROTTLED, 1);
            other.exchange();
        }
    }
}
