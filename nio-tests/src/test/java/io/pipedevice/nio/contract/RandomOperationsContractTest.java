// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/** Random operations on many connections at a time, whose bytes both ends can predict. */
class RandomOperationsContractTest extends Contract {
    private static final int CONNECTIONS = 16;
    private static final int LARGEST = 50_000;

    @Test
    void whateverIsDoneTheBytesAreTheSame() throws Exception {
        Random random = Bytes.seeded("whateverIsDoneTheBytesAreTheSame");
        ServerSocketChannel listener = listen();
        List<Task<Object>> halves = new ArrayList<>();
        for (int i = 0; i < CONNECTIONS; i++) {
            Connection connection = connect(listener);
            connection.client().configureBlocking(random.nextBoolean());
            connection.server().configureBlocking(random.nextBoolean());
            ThreadKind kind = random.nextBoolean() ? ThreadKind.PLATFORM : ThreadKind.VIRTUAL;
            for (Connection way : List.of(connection, connection.turned())) {
                long content = random.nextLong();
                long writing = random.nextLong();
                long reading = random.nextLong();
                int length = 1 + random.nextInt(1_000_000);
                halves.add(start(kind, () -> write(way.client(), content, length, new Random(writing))));
                halves.add(start(kind, () -> read(way.server(), content, length, new Random(reading))));
            }
        }
        for (Task<Object> half : halves) {
            half.result();
        }
    }

    private static Object write(SocketChannel channel, long content, int length, Random random) throws IOException {
        ByteBuffer all = ByteBuffer.wrap(Bytes.random(new Random(content), length));
        while (all.hasRemaining()) {
            int before = all.position();
            ByteBuffer part = all.slice(before, Math.min(all.remaining(), random.nextInt(LARGEST)));
            long n;
            if (random.nextInt(3) == 0) {
                int half = part.remaining() / 2;
                n = channel.write(new ByteBuffer[] {part.slice(0, half), direct(part.position(half))});
            } else {
                n = channel.write(random.nextBoolean() ? part : direct(part));
            }
            assertTrue(n >= 0);
            all.position(before + (int) n);
            if (n == 0) {
                LockSupport.parkNanos(1000);
            }
        }
        channel.shutdownOutput();
        return null;
    }

    private static Object read(SocketChannel channel, long content, int length, Random random) throws IOException {
        ByteBuffer expected = ByteBuffer.wrap(Bytes.random(new Random(content), length));
        while (true) {
            int size = 1 + random.nextInt(LARGEST);
            ByteBuffer some = random.nextBoolean() ? ByteBuffer.allocate(size) : ByteBuffer.allocateDirect(size);
            long n;
            if (random.nextInt(3) == 0) {
                int half = size / 2;
                ByteBuffer[] parts = {some.slice(0, half), some.slice(half, size - half)};
                n = channel.read(parts);
                some.position(Math.max(0, (int) n));
            } else {
                n = channel.read(some);
            }
            if (n < 0) {
                assertEquals(0, expected.remaining(), "bytes are missing");
                return null;
            }
            assertTrue(n <= expected.remaining(), "more bytes than were sent");
            int at = expected.position();
            assertEquals(expected.slice(at, (int) n), some.flip(), () -> "from byte " + at);
            expected.position(at + (int) n);
            if (n == 0) {
                LockSupport.parkNanos(1000);
            }
        }
    }

    private static ByteBuffer direct(ByteBuffer bytes) {
        return ByteBuffer.allocateDirect(bytes.remaining()).put(bytes).flip();
    }
}
