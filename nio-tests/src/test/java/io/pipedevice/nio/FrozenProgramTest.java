// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.DriverProcess;
import io.pipedevice.nio.start.Acceleration;
import io.pipedevice.nio.start.Rings;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.FreezerGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Processes that the freezer of their control group stops, as {@code docker pause} does, while connected by rings. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class FrozenProgramTest {
    private static final int PIECE = 64 << 10;
    private static final int PIECES = 200;
    private static final int ROUNDS = 20;
    private static final String HANDSHAKE = "pipedevice.handshake.millis";

    @TempDir
    private Path directory;

    /** Where rings come from. */
    enum Way {
        PEERS,
        DIRECT,
        DEVICE;

        private ChildJvm driver(Path directory) throws IOException {
            return this == PEERS ? null : DriverProcess.start(directory, "-Dpipedevice.driver.path=" + word());
        }

        private String word() {
            return this == DIRECT ? "direct" : "device";
        }

        private static Acceleration rings(String directory) {
            // On a busy machine the first handshake may take long.
            System.setProperty(HANDSHAKE, "10000");
            try {
                return directory.isEmpty() ? Rings.ofPeers() : Rings.ofDriver(Path.of(directory));
            } finally {
                System.clearProperty(HANDSHAKE);
            }
        }
    }

    /** Sends back what it receives. Argument: the driver's directory, or nothing for peers. */
    static final class Echo {
        public static void main(String[] arguments) throws IOException {
            try (ServerSocketChannel server = Way.rings(arguments[0]).openServerSocketChannel(null)) {
                server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
                System.out.println("PORT " + server.socket().getLocalPort());
                while (true) {
                    SocketChannel accepted = server.accept();
                    Thread.ofPlatform().daemon().start(() -> echo(accepted));
                }
            }
        }

        private static void echo(SocketChannel channel) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(PIECE);
            try (channel) {
                while (channel.read(buffer.clear()) >= 0) {
                    buffer.flip();
                    while (buffer.hasRemaining()) {
                        channel.write(buffer);
                    }
                }
            } catch (IOException e) {
                System.out.println("FAILED " + e);
            }
        }
    }

    private static ChildJvm start(String place) throws IOException {
        return ChildJvm.start(List.of(), ChildJvm.inheritedFlags(), Echo.class, place);
    }

    private static InetSocketAddress address(ChildJvm server) throws IOException {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(server.expect("PORT ")));
    }

    private static SocketChannel connect(Acceleration rings, InetSocketAddress to) throws IOException {
        SocketChannel channel = rings.openSocketChannel(null);
        channel.connect(to);
        assertTrue(channel.toString().endsWith(" rings]"), channel.toString());
        return channel;
    }

    /** Sends bytes, and checks what comes back. */
    private static void exchange(SocketChannel channel, int pieces, long seed) throws Exception {
        FutureTask<?> writer = new FutureTask<>(() -> {
            byte[] bytes = new byte[PIECE];
            Random random = new Random(seed);
            for (int i = 0; i < pieces; i++) {
                random.nextBytes(bytes);
                ByteBuffer buffer = ByteBuffer.wrap(bytes);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
            }
            return null;
        });
        Thread.ofPlatform().daemon().start(writer);
        byte[] expected = new byte[PIECE];
        Random random = new Random(seed);
        ByteBuffer received = ByteBuffer.allocate(PIECE);
        for (int i = 0; i < pieces; i++) {
            received.clear();
            while (received.hasRemaining()) {
                assertTrue(channel.read(received) >= 0, "the stream ended");
            }
            random.nextBytes(expected);
            assertEquals(ByteBuffer.wrap(expected), received.flip(), "piece " + i);
        }
        writer.get();
    }

    private static FutureTask<?> begin(SocketChannel channel, long seed) {
        FutureTask<?> exchange = new FutureTask<>(() -> {
            exchange(channel, PIECES, seed);
            return null;
        });
        Thread.ofPlatform().daemon().start(exchange);
        return exchange;
    }

    private static void finish(FutureTask<?> exchange) throws Exception {
        try {
            exchange.get(2, TimeUnit.MINUTES);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    @SuppressWarnings("try")
    void connectionsToOthersGoOnWhileOneProgramIsFrozen(Way way) throws Exception {
        String place = way == Way.PEERS ? "" : directory.toString();
        try (ChildJvm driver = way.driver(directory);
                ChildJvm frozen = start(place);
                ChildJvm other = start(place);
                FreezerGroup group = FreezerGroup.create()) {
            Acceleration rings = Way.rings(place);
            InetSocketAddress toOther = address(other);
            try (SocketChannel first = connect(rings, address(frozen));
                    SocketChannel second = connect(rings, toOther)) {
                exchange(first, 1, 1);
                group.add(frozen.pid());
                group.freeze();
                FutureTask<?> held = begin(first, 2);
                for (int i = 0; i < ROUNDS; i++) {
                    exchange(second, 1, i);
                    try (SocketChannel another = connect(rings, toOther)) {
                        exchange(another, 1, i);
                    }
                }
                assertFalse(held.isDone(), "it goes through the frozen program");
                group.thaw();
                finish(held);
                exchange(first, 1, 3);
            }
        }
    }

    @Test
    @SuppressWarnings("try")
    void aDriverThatWasFrozenGoesOnWhereItStopped() throws Exception {
        String place = directory.toString();
        try (ChildJvm driver = Way.DEVICE.driver(directory);
                ChildJvm server = start(place);
                FreezerGroup group = FreezerGroup.create()) {
            Acceleration rings = Way.rings(place);
            InetSocketAddress to = address(server);
            try (SocketChannel channel = connect(rings, to)) {
                exchange(channel, 1, 1);
                group.add(driver.pid());
                group.freeze();
                FutureTask<?> held = begin(channel, 2);
                group.thaw();
                finish(held);
                try (SocketChannel another = connect(rings, to)) {
                    exchange(another, 1, 3);
                }
            }
        }
    }
}
