// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousServerSocketChannel;
import java.nio.channels.AsynchronousSocketChannel;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;

/** The base of the contract tests of asynchronous channels: it has the pairing. */
abstract class AsynchronousContract extends Contract {
    /** The two ends of a connection. */
    record Ends(AsynchronousSocketChannel client, AsynchronousSocketChannel server) {}

    final AsynchronousSocketChannel openAsyncClient(AsynchronousChannelGroup group) throws IOException {
        return closeLater(AsynchronousProviders.of(pairing.client()).openAsynchronousSocketChannel(group));
    }

    final AsynchronousServerSocketChannel openAsyncServer(AsynchronousChannelGroup group) throws IOException {
        return closeLater(AsynchronousProviders.of(pairing.server()).openAsynchronousServerSocketChannel(group));
    }

    /** A group for clients that ends after the test. */
    final AsynchronousChannelGroup openClientGroup(int threads) throws IOException {
        return ended(AsynchronousProviders.of(pairing.client())
                .openAsynchronousChannelGroup(threads, Executors.defaultThreadFactory()));
    }

    /** A group for servers that ends after the test. */
    final AsynchronousChannelGroup openServerGroup(int threads) throws IOException {
        return ended(AsynchronousProviders.of(pairing.server())
                .openAsynchronousChannelGroup(threads, Executors.defaultThreadFactory()));
    }

    private AsynchronousChannelGroup ended(AsynchronousChannelGroup group) {
        closeLater(() -> {
            group.shutdownNow();
            assertEquals(true, group.awaitTermination(20, TimeUnit.SECONDS), "the group ends");
        });
        return group;
    }

    final Ends connectAsync() throws Exception {
        return connectAsync(null, null);
    }

    /** A connection; its ends belong to groups, or the default one. */
    final Ends connectAsync(AsynchronousChannelGroup clients, AsynchronousChannelGroup servers) throws Exception {
        AsynchronousServerSocketChannel listener = openAsyncServer(servers).bind(atServer(0));
        AsynchronousSocketChannel client = openAsyncClient(clients);
        Future<AsynchronousSocketChannel> accepting = listener.accept();
        client.connect(listener.getLocalAddress()).get(20, TimeUnit.SECONDS);
        AsynchronousSocketChannel server = closeLater(accepting.get(20, TimeUnit.SECONDS));
        listener.close();
        assertEquals(client.getLocalAddress(), server.getRemoteAddress());
        assertEquals(
                ((InetSocketAddress) client.getRemoteAddress()).getPort(),
                ((InetSocketAddress) server.getLocalAddress()).getPort());
        return new Ends(client, server);
    }

    static ByteBuffer bytes(int... values) {
        ByteBuffer bytes = ByteBuffer.allocate(values.length);
        for (int value : values) {
            bytes.put((byte) value);
        }
        return bytes.flip();
    }

    /** Fills the channel, until a write has to wait, or takes long on a busy machine; that write. */
    static Completion<Integer> fill(AsynchronousSocketChannel channel) throws Exception {
        while (true) {
            Completion<Integer> write = new Completion<>();
            channel.write(ByteBuffer.allocate(1 << 20), write, write);
            try {
                write.valueWithin(200);
            } catch (TimeoutException e) {
                return write;
            }
        }
    }

    /** Reads until a write of the other end is done. One more read may be pending then. */
    static void makeRoom(BooleanSupplier written, AsynchronousSocketChannel reader) throws Exception {
        ByteBuffer target = ByteBuffer.allocate(1 << 20);
        Future<Integer> read = reader.read(target);
        while (!written.getAsBoolean()) {
            if (read.isDone()) {
                assertTrue(read.get() > 0);
                read = reader.read(target.clear());
            }
            Thread.sleep(1);
        }
    }
}
