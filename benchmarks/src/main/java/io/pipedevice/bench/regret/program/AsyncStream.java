// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/** Sends {@link Messages} one way by an asynchronous channel of the default group. */
final class AsyncStream implements Client, CompletionHandler<Integer, Boolean> {
    private final AsynchronousSocketChannel channel;

    /** These belong to the operation under way. */
    private final ByteBuffer message = ByteBuffer.allocateDirect(Messages.SIZE);

    private final ByteBuffer answer = ByteBuffer.allocateDirect(Long.BYTES);
    private CompletableFuture<Long> turn;
    private long end;
    private long sent;

    AsyncStream(int port) throws IOException {
        channel = AsyncServer.noDelay(AsynchronousSocketChannel.open());
        try {
            channel.connect(Loopback.at(port)).get();
        } catch (ExecutionException | InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Override
    public long run(long nanos) throws Exception {
        end = System.nanoTime() + nanos;
        sent = 0;
        turn = new CompletableFuture<>();
        CompletableFuture<Long> result = turn;
        send();
        long received = result.get();
        return Messages.checked(sent, received);
    }

    private void send() {
        boolean last = System.nanoTime() - end >= 0;
        sent++;
        channel.write(message.clear().put(0, last ? Messages.LAST : 0), last, this);
    }

    /** @param last whether the message is the last one of the turn, so that an answer comes */
    @Override
    public void completed(Integer count, Boolean last) {
        if (message.hasRemaining()) {
            channel.write(message, last, this);
        } else if (!last) {
            send();
        } else {
            channel.read(answer.clear(), turn, new Answer());
        }
    }

    @Override
    public void failed(Throwable cause, Boolean last) {
        turn.completeExceptionally(cause);
    }

    private final class Answer implements CompletionHandler<Integer, CompletableFuture<Long>> {
        @Override
        public void completed(Integer count, CompletableFuture<Long> result) {
            if (count < 0) {
                result.completeExceptionally(new EOFException("the server ended the connection"));
            } else if (answer.hasRemaining()) {
                channel.read(answer, result, this);
            } else {
                result.complete(answer.getLong(0));
            }
        }

        @Override
        public void failed(Throwable cause, CompletableFuture<Long> result) {
            result.completeExceptionally(cause);
        }
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
