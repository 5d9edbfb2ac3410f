// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousChannelGroup;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/** Round trips by asynchronous channels of a group with two threads, each with a message under way. */
final class AsyncTrips implements Client {
    private static final int THREADS = 2;

    private final AsynchronousChannelGroup group;
    private final List<Trips> connections = new ArrayList<>();

    AsyncTrips(int port, int count) throws IOException {
        group = AsynchronousChannelGroup.withFixedThreadPool(THREADS, Executors.defaultThreadFactory());
        try {
            while (connections.size() < count) {
                AsynchronousSocketChannel channel = AsynchronousSocketChannel.open(group);
                channel.connect(Loopback.at(port)).get();
                connections.add(new Trips(AsyncServer.noDelay(channel)));
            }
        } catch (ExecutionException | InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Override
    public long run(long nanos) throws Exception {
        long end = System.nanoTime() + nanos;
        return Turns.sum(connections.stream().map(one -> one.begin(end)).toList());
    }

    @Override
    public void close() throws IOException {
        group.shutdownNow();
    }

    /** One connection. The handler of the operation under way has all fields. */
    private static final class Trips implements CompletionHandler<Integer, Boolean> {
        private final AsynchronousSocketChannel channel;
        private final ByteBuffer message = ByteBuffer.allocateDirect(ChannelEcho.SIZE);
        private CompletableFuture<Long> turn;
        private long end;
        private long trips;
        private long round;

        Trips(AsynchronousSocketChannel channel) {
            this.channel = channel;
        }

        CompletableFuture<Long> begin(long moment) {
            CompletableFuture<Long> next = new CompletableFuture<>();
            turn = next;
            end = moment;
            trips = 0;
            send();
            return next;
        }

        private void send() {
            channel.write(message.clear().putLong(0, ++round), false, this);
        }

        /** @param wasRead whether it was a read that is complete, not a write */
        @Override
        public void completed(Integer count, Boolean wasRead) {
            if (count < 0) {
                turn.completeExceptionally(new EOFException("the server ended the connection"));
            } else if (!wasRead && !message.hasRemaining()) {
                channel.read(message.clear(), true, this);
            } else if (message.hasRemaining()) {
                goOn(wasRead);
            } else {
                arrived();
            }
        }

        private void goOn(boolean reading) {
            if (reading) {
                channel.read(message, true, this);
            } else {
                channel.write(message, false, this);
            }
        }

        private void arrived() {
            trips++;
            if (message.getLong(0) != round) {
                turn.completeExceptionally(new IOException("round " + round + " came back as " + message.getLong(0)));
            } else if (System.nanoTime() - end < 0) {
                send();
            } else {
                turn.complete(trips);
            }
        }

        @Override
        public void failed(Throwable cause, Boolean wasRead) {
            turn.completeExceptionally(cause);
        }
    }
}
