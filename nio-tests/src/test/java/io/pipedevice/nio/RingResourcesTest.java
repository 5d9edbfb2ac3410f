// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import io.pipedevice.driver.DriverContext;
import io.pipedevice.driver.PipeDeviceDriver;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.nio.start.Acceleration;
import io.pipedevice.nio.start.Rings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The resources that connections on rings take and give back. */
@Timeout(120)
class RingResourcesTest {
    private static final SelectorProvider PROVIDER = new PipeDeviceSelectorProvider();
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Rounds allocate until their code is compiled: for about this time, or for more rounds on a busy machine. */
    private static final long COMPILED_NS = TimeUnit.SECONDS.toNanos(20);

    private static final int ROUNDS = 40;

    private final List<SocketChannel> channels = new ArrayList<>();
    private ServerSocketChannel server;

    @BeforeEach
    void listen() throws IOException {
        server = PROVIDER.openServerSocketChannel();
        server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @AfterEach
    void close() throws IOException {
        closeAll();
        server.close();
    }

    private void closeAll() throws IOException {
        for (SocketChannel channel : channels) {
            channel.close();
        }
        channels.clear();
    }

    private SocketChannel open() throws IOException {
        SocketChannel client = PROVIDER.openSocketChannel();
        channels.add(client);
        client.connect(server.getLocalAddress());
        SocketChannel accepted = server.accept();
        channels.add(accepted);
        assertTrue(client.toString().endsWith(" rings]"), client.toString());
        return client;
    }

    /**
     * Pools keep some regions for the next connections; their number varies. A leak would keep one for each connection.
     */
    @Test
    void descriptorsAreGivenBack() throws IOException {
        int before = descriptorsAfter(100);
        int after = descriptorsAfter(400);
        assertTrue(after <= before + 100, "descriptors: " + before + " after 100 connections, " + after + " after 500");
    }

    /** Makes a number of connections, at most 20 at a time, and counts the descriptors when all are closed. */
    private int descriptorsAfter(int connections) throws IOException {
        for (int i = 0; i < connections; i++) {
            open().write(ByteBuffer.allocate(100));
            if (i % 20 == 19) {
                closeAll();
            }
        }
        int[] last = {-1};
        Awaitility.await()
                .pollInterval(200, TimeUnit.MILLISECONDS)
                .atMost(20, TimeUnit.SECONDS)
                .until(() -> last[0] == (last[0] = ProcessFacts.openFds(0)));
        return last[0];
    }

    @Test
    void fiveHundredConnectionsAtOnceAreAccelerated() throws IOException {
        for (int i = 0; i < 500; i++) {
            open();
        }
        assertEquals(1000, channels.size());
    }

    @Test
    @Timeout(300)
    void readAndWriteAllocateNothing(@TempDir Path directory) throws IOException {
        // The driver stays awake, so that no thread rings a doorbell, and everything happens in memory.
        DriverContext awake = new DriverContext().directory(directory).spinNs(TimeUnit.SECONDS.toNanos(10));
        try (PipeDeviceDriver driver = PipeDeviceDriver.launch(awake)) {
            Acceleration rings = Rings.ofDriver(directory);
            try (ServerSocketChannel listener = rings.openServerSocketChannel(null);
                    SocketChannel client = rings.openSocketChannel(null)) {
                listener.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                client.connect(listener.getLocalAddress());
                try (SocketChannel accepted = listener.accept()) {
                    assertTrue(accepted.toString().endsWith(" rings]"), driver + ": " + accepted);
                    client.configureBlocking(false);
                    accepted.configureBlocking(false);
                    assertEquals(0, leastAllocation(client, accepted), "bytes allocated by 5000 messages");
                }
            }
        }
    }

    /** The fewest bytes that a round allocates, once everything is compiled. */
    private static long leastAllocation(SocketChannel from, SocketChannel to) throws IOException {
        ByteBuffer source = ByteBuffer.allocate(2000);
        ByteBuffer target = ByteBuffer.allocateDirect(2000);
        long least = Long.MAX_VALUE;
        long start = System.nanoTime();
        for (int round = 0; least > 0 && (round < ROUNDS || System.nanoTime() - start < COMPILED_NS); round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 5000; i++) {
                from.write(source.clear());
                target.clear();
                while (target.hasRemaining()) {
                    if (to.read(target) == 0) {
                        LockSupport.parkNanos(1);
                    }
                }
            }
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }
}
