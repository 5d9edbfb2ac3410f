// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SelectorClientTest {
    private static final int SIZE = 64;
    private static final int CONNECTIONS = 3;
    private static final int MESSAGES = 12;

    private final Sockets sockets = new Sockets.Inet("127.0.0.1");

    /** The connections on which messages arrived, after the first one of each. */
    private final LinkedBlockingQueue<Integer> order = new LinkedBlockingQueue<>();

    private final CountDownLatch enough = new CountDownLatch(MESSAGES);

    @Test
    void theNextMessageGoesToTheNextConnection() throws Exception {
        play(true);
        assertEquals(
                List.of(0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2),
                order.stream().limit(MESSAGES).toList());
    }

    @Test
    void orStaysWhereItIs() throws Exception {
        play(false);
        assertEquals(
                List.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0),
                order.stream().limit(MESSAGES).toList());
    }

    private void play(boolean rotates) throws Exception {
        try (ServerSocketChannel listener = sockets.listen()) {
            Thread.startVirtualThread(() -> serve(listener));
            SelectorClient client =
                    new SelectorClient(sockets, sockets.address(listener), SIZE, CONNECTIONS, 1, rotates);
            Progress progress = new Progress();
            Thread stopper = Thread.startVirtualThread(() -> {
                awaitMessages();
                progress.stop();
                client.wake();
            });
            client.run(progress);
            stopper.join();
        }
    }

    private void awaitMessages() {
        try {
            enough.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private void serve(ServerSocketChannel listener) {
        try {
            for (int i = 0; i < CONNECTIONS; i++) {
                int number = i;
                SocketChannel channel = listener.accept();
                Thread.startVirtualThread(() -> echo(channel, number));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void echo(SocketChannel channel, int number) {
        ByteBuffer message = ByteBuffer.allocate(SIZE);
        try (channel) {
            for (int i = 0; PingPong.read(channel, message.clear()); i++) {
                if (i > 0) {
                    order.add(number);
                    enough.countDown();
                }
                channel.write(message.flip());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
