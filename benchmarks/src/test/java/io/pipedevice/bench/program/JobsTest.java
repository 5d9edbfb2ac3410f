// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Clients and servers of one kind, in one process. */
@Timeout(60)
class JobsTest {
    private final Stack stack = new NioStack(new Sockets.Inet("127.0.0.1"));
    private final Progress served = new Progress();
    private final Progress done = new Progress();

    /** Runs both ends until a condition holds. */
    private void run(Kind kind, int size, int connections, BooleanSupplier enough) throws Exception {
        Job.Server server = stack.server(kind, size);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Void> serves = threads.submit(task(server, served));
            Job client = stack.client(kind, size, server.address(), connections, connections);
            done.measure();
            Future<Void> runs = threads.submit(task(client, done));
            while (!enough.getAsBoolean() && !serves.isDone() && !runs.isDone()) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
            done.stop();
            client.wake();
            runs.get();
            serves.get();
        }
    }

    private static Callable<Void> task(Job job, Progress progress) {
        return () -> {
            job.run(progress);
            return null;
        };
    }

    @Test
    void messagesThatFillTheConnectionGoThereAndBack() throws Exception {
        served.check();
        run(Kind.SELECTOR, 8 << 20, 1, () -> {
            done.check();
            return done.count() >= 3;
        });
        assertTrue(done.count() >= 3);
    }

    @Test
    void severalThreadsConnectAndAllOfThemEnd() throws Exception {
        run(Kind.CONNECT_THREADS, 1, 1, () -> done.count() >= 100);
        assertEquals(8, done.shares().length);
        assertEquals(served.count(), done.count());
    }

    @Test
    void eachPairCountsItsOwnBytes() throws Exception {
        served.check();
        run(Kind.PAIRS, 1024, 3, () -> served.shares().length == 3 && minimum(served.shares()) > 100_000);
        assertEquals(served.count(), done.count());
    }

    @Test
    void pairsOfTwoClientsAreAcceptedAndCounted() throws Exception {
        Job.Server server = stack.server(Kind.PAIRS, 1024);
        Progress more = new Progress();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Void> serves = threads.submit(task(server, served));
            Job first = stack.client(Kind.PAIRS, 1024, server.address(), 1, 3);
            Job second = stack.client(Kind.PAIRS, 1024, server.address(), 2, 0);
            List<Future<Void>> runs = List.of(threads.submit(task(first, done)), threads.submit(task(second, more)));
            while (!serves.isDone() && (served.shares().length < 3 || minimum(served.shares()) == 0)) {
                TimeUnit.MILLISECONDS.sleep(1);
            }
            done.stop();
            more.stop();
            for (Future<Void> one : runs) {
                one.get();
            }
            serves.get();
        }
        assertEquals(served.count(), done.count() + more.count());
    }

    @Test
    void pacedStreamHasItsRate() throws Exception {
        served.check();
        // With the time to start, because a stream that was held up at first catches up. It is long beside that time.
        long begin = System.nanoTime();
        run(Kind.PACED_STREAM, 64 << 10, 1, () -> served.count() > Pace.BYTES_PER_SECOND / 2);
        double rate = served.count() / ((System.nanoTime() - begin) / 1e9);
        // A machine that is busy with other things may be slower.
        assertTrue(rate < 1.2 * Pace.BYTES_PER_SECOND, () -> "bytes per second: " + rate);
        assertEquals(served.count(), done.count());
    }

    private static long minimum(long[] shares) {
        long minimum = Long.MAX_VALUE;
        for (long share : shares) {
            minimum = Math.min(minimum, share);
        }
        return minimum;
    }
}
