// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.pipedevice.driver.DriverContext;
import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdOptions;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.ProcessFacts;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.lang.management.ManagementFactory;
import java.net.StandardSocketOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The cost of messages and connections: no garbage, no leaks, and clear errors when a resource is exhausted. */
@Timeout(60)
class ResourcesTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Number of rounds of 5000 messages each; the compilers have finished after a few. */
    private static final int ROUNDS = 40;

    @Test
    @Timeout(900)
    void messagesAllocateNothing() throws IOException {
        // The driver stays awake, so no thread has to ring, and everything happens in memory.
        DriverContext awake = new DriverContext().spinNs(TimeUnit.SECONDS.toNanos(10));
        assertEquals(0, leastAllocation(awake, new PdOptions(), 0, 0), "bytes for 5000 messages");
    }

    @Test
    @Timeout(300)
    void sleepAllocatesNothing() throws IOException {
        DriverContext sleepy = new DriverContext().spinNs(0);
        // Until a system call is compiled by the last compiler, the JDK allocates a slice of memory for its errno.
        long most = 5_000 * 4 * 40;
        long allocated = leastAllocation(sleepy, new PdOptions().spinMicros(0), Attached.PATIENCE_NS, most);
        assertTrue(allocated <= most, allocated + " bytes for 5000 messages that were slept for");
    }

    /**
     * The fewest bytes that a round of 5000 messages allocates, once everything is compiled and all permanent objects
     * exist.
     *
     * @param enough if a round allocates no more than this, no further round is needed
     */
    private static long leastAllocation(DriverContext context, PdOptions options, long timeoutNs, long enough)
            throws IOException {
        try (Attached attached = new Attached(context, options);
                Attached.Pair pair = attached.pair();
                PdEpoll epoll = attached.server.epoll()) {
            epoll.add(pair.server, PdEpoll.IN, null);
            PdEvents events = new PdEvents(4);
            PdBuffer out = new PdBuffer();
            PdBuffer in = new PdBuffer();
            long least = Long.MAX_VALUE;
            // The loop counts rounds, not seconds: on busy processors a round takes longer, but no more rounds are
            // needed.
            for (int i = 0; least > enough && i < ROUNDS; i++) {
                long before = THREADS.getCurrentThreadAllocatedBytes();
                exchange(pair, epoll, events, out, in, timeoutNs);
                least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
            }
            return least;
        }
    }

    /** Exchanges one message at a time: posts it, waits for it alternately in recv and in epoll, and releases it. */
    private static void exchange(
            Attached.Pair pair, PdEpoll epoll, PdEvents events, PdBuffer out, PdBuffer in, long timeoutNs)
            throws PdException {
        for (int i = 0; i < 5_000; i++) {
            while (!pair.client.malloc(64, out, timeoutNs)) {
                LockSupport.parkNanos(1);
            }
            out.memory().set(ValueLayout.JAVA_LONG, out.offset(), i);
            while (pair.client.send(out, 64, timeoutNs) == PdSocket.WOULD_BLOCK) {
                LockSupport.parkNanos(1);
            }
            pair.client.bufRefresh(out);
            pair.client.free(out);
            while (i % 2 == 0 && epoll.await(events, timeoutNs) == 0) {
                LockSupport.parkNanos(1);
            }
            while (pair.server.recv(64, in, timeoutNs) == 0) {
                LockSupport.parkNanos(1);
            }
            assertEquals(i, in.memory().get(ValueLayout.JAVA_LONG, in.offset()));
            pair.server.recvDone(64);
        }
    }

    @Test
    void connectionsLeaveNothingBehind() throws Exception {
        try (Attached attached = new Attached()) {
            makeWaiters(attached);
            churn(attached, 100);
            settle(attached);
            int fds = ProcessFacts.openFds(0);
            long mapped = mappings();
            churn(attached, 300);
            settle(attached);
            assertEquals(fds, ProcessFacts.openFds(0), "file descriptors");
            assertTrue(mappings() <= mapped, "shared mappings: " + mapped + " before, " + mappings() + " after");
        }
    }

    @Test
    void attachmentsLeaveNothingBehind() throws Exception {
        try (Attached attached = new Attached()) {
            makeWaiters(attached);
            attachAndRelease(attached, 10);
            int fds = awaitFds(attached, Integer.MAX_VALUE);
            long mapped = mappings();
            attachAndRelease(attached, 50);
            assertEquals(fds, awaitFds(attached, fds), "file descriptors");
            assertTrue(mappings() <= mapped, "shared mappings: " + mapped + " before, " + mappings() + " after");
        }
    }

    /** Creates the objects on which threads sleep: each is created when the first thread sleeps, and is kept. */
    private static void makeWaiters(Attached attached) throws PdException {
        attached.server.epoll().close();
        attached.client.epoll().close();
    }

    private static void attachAndRelease(Attached attached, int times) throws IOException {
        try (PdSocket listener = attached.listen(4)) {
            for (int i = 0; i < times; i++) {
                try (PipeDevice device = PipeDevice.init(attached.driver)) {
                    PdSocket socket = device.socket();
                    socket.connect(listener.localAddress());
                    device.epoll().add(socket, PdEpoll.IN, null);
                    Bytes.send(socket, "hello");
                    try (PdSocket accepted = listener.accept(Attached.PATIENCE_NS)) {
                        assertEquals("hello", Bytes.receiveText(accepted, 5));
                    }
                }
            }
        }
    }

    /**
     * Waits for the driver to release the remaining resources. It does so when it next wakes, so this gives it time,
     * and a reason to wake.
     */
    private static int awaitFds(Attached attached, int expected) throws Exception {
        int fds = ProcessFacts.openFds(0);
        for (int i = 0; i < 100 && (fds != expected || i < 5); i++) {
            attached.client.socket().close();
            TimeUnit.MILLISECONDS.sleep(20);
            fds = ProcessFacts.openFds(0);
        }
        return fds;
    }

    private static void churn(Attached attached, int connections) throws PdException {
        try (PdSocket listener = attached.listen(16)) {
            for (int i = 0; i < connections; i++) {
                PdSocket client = attached.client.socket();
                client.connect(listener.localAddress());
                Bytes.send(client, "hello");
                PdSocket accepted = listener.accept(Attached.PATIENCE_NS);
                assertEquals("hello", Bytes.receiveText(accepted, 5));
                if (i % 4 == 0) {
                    client.abort();
                } else {
                    client.close();
                }
                if (i % 4 == 1) {
                    assertEquals(PdSocket.END_OF_STREAM, Bytes.receiveEnd(accepted));
                }
                accepted.close();
            }
        }
    }

    /** Waits until the driver has given every send ring back. */
    private static void settle(Attached attached) throws Exception {
        for (PipeDevice device : List.of(attached.client, attached.server)) {
            for (int i = 0; i < 200 && ((AttachedDevice) device).sendMemoryInUse() > 0; i++) {
                TimeUnit.MILLISECONDS.sleep(10);
            }
            assertEquals(0, ((AttachedDevice) device).sendMemoryInUse(), "bytes of send rings");
        }
    }

    /** Bytes of this process's mappings of PipeDevice's memory objects. */
    private static long mappings() throws IOException {
        long sum = 0;
        for (ProcessFacts.MapEntry entry : ProcessFacts.maps(0)) {
            if (entry.path().contains("memfd:pd-")) {
                sum += entry.end() - entry.start();
            }
        }
        return sum;
    }

    @Test
    void socketsAreUsedUp() throws IOException {
        try (Attached attached = new Attached(new DriverContext(), new PdOptions().maxSockets(4))) {
            List<PdSocket> sockets = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                sockets.add(attached.client.socket());
            }
            PdException e = assertThrows(PdException.class, attached.client::socket);
            assertEquals(Errno.ENOBUFS, e.errno());
            sockets.get(2).close();
            attached.client.socket().close();
        }
    }

    @Test
    void socketIdsAreUsedAgain() throws IOException {
        try (Attached attached = new Attached(new DriverContext(), new PdOptions().maxSockets(8))) {
            for (int i = 0; i < 200; i++) {
                try (Attached.Pair pair = attached.pair(4096)) {
                    Bytes.send(pair.client, "round " + i);
                    assertEquals("round " + i, Bytes.receiveText(pair.server, ("round " + i).length()));
                    Bytes.send(pair.server, "back");
                }
            }
        }
    }

    @Test
    void sendMemoryIsUsedUp() throws IOException {
        try (Attached attached = new Attached(new DriverContext(), new PdOptions().sendMemory(2 << 20));
                PdSocket listener = attached.listen(64)) {
            List<PdSocket> clients = new ArrayList<>();
            PdException e = assertThrows(PdException.class, () -> {
                while (true) {
                    PdSocket client = attached.client.socket();
                    client.setOption(StandardSocketOptions.SO_SNDBUF, 256 << 10);
                    client.connect(listener.localAddress());
                    clients.add(client);
                }
            });
            assertEquals(Errno.ENOBUFS, e.errno());
            assertTrue(e.getMessage().contains(PdOptions.SEND_MEMORY_PROPERTY), e.getMessage());
            assertEquals(8, clients.size());
            clients.get(0).close();
            PdSocket next = attached.client.socket();
            next.setOption(StandardSocketOptions.SO_SNDBUF, 256 << 10);
            awaitConnect(next, listener);
            Bytes.send(next, "there is room again");
        }
    }

    private static void awaitConnect(PdSocket socket, PdSocket listener) throws PdException {
        long start = System.nanoTime();
        while (true) {
            try {
                socket.connect(listener.localAddress());
                return;
            } catch (PdException e) {
                if (e.errno() != Errno.ENOBUFS || System.nanoTime() - start > Attached.PATIENCE_NS) {
                    throw e;
                }
            }
        }
    }

    @Test
    void mostSocketsThatThereCanBe() throws IOException {
        try (Attached attached = new Attached(new DriverContext(), new PdOptions().maxSockets(65535));
                Attached.Pair pair = attached.pair(4096)) {
            Bytes.send(pair.client, "far up");
            assertEquals("far up", Bytes.receiveText(pair.server, 6));
        }
    }
}
