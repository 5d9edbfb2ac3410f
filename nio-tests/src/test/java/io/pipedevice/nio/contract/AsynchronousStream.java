// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CompletionHandler;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** A stream of known bytes by completion handlers: each begins the next write, or the next read and checks the bytes. */
final class AsynchronousStream {
    private final AsynchronousSocketChannel from;
    private final AsynchronousSocketChannel to;
    private final int total;

    /** Belongs to the handlers of writes, which run one after another. */
    private final Random writeSizes;

    private int written;

    /** Belongs to the handlers of reads. */
    private final Random readSizes;

    private int read;
    private final CompletableFuture<Integer> wrong = new CompletableFuture<>();

    AsynchronousStream(AsynchronousSocketChannel from, AsynchronousSocketChannel to, Random random, int total) {
        this.from = from;
        this.to = to;
        this.total = total;
        writeSizes = new Random(random.nextLong());
        readSizes = new Random(random.nextLong());
    }

    void start() {
        read(ByteBuffer.allocate(1 + readSizes.nextInt(100_000)));
        write(next());
    }

    /** Waits until all bytes have arrived. */
    void expectAll(long seed) throws Exception {
        assertEquals(0, wrong.get(30, TimeUnit.SECONDS), "wrong bytes; -Dpipedevice.test.seed=" + seed);
    }

    private static byte at(int position) {
        return (byte) (position * 31 + position / 257);
    }

    private ByteBuffer next() {
        int size = Math.min(total - written, 1 + writeSizes.nextInt(writeSizes.nextBoolean() ? 100 : 200_000));
        ByteBuffer bytes = writeSizes.nextBoolean() ? ByteBuffer.allocate(size) : ByteBuffer.allocateDirect(size);
        while (bytes.hasRemaining()) {
            bytes.put(at(written + bytes.position()));
        }
        return bytes.flip();
    }

    private void write(ByteBuffer bytes) {
        from.write(bytes, bytes, new CompletionHandler<Integer, ByteBuffer>() {
            @Override
            public void completed(Integer count, ByteBuffer rest) {
                written += count;
                if (rest.hasRemaining()) {
                    from.write(rest, rest, this);
                } else if (written < total) {
                    write(next());
                }
            }

            @Override
            public void failed(Throwable cause, ByteBuffer rest) {
                wrong.completeExceptionally(cause);
            }
        });
    }

    private void read(ByteBuffer target) {
        to.read(target, target, new CompletionHandler<Integer, ByteBuffer>() {
            @Override
            public void completed(Integer count, ByteBuffer bytes) {
                if (check(bytes.flip())) {
                    read(ByteBuffer.allocate(1 + readSizes.nextInt(100_000)));
                }
            }

            @Override
            public void failed(Throwable cause, ByteBuffer bytes) {
                wrong.completeExceptionally(cause);
            }
        });
    }

    /** Whether more bytes are to come. */
    private boolean check(ByteBuffer bytes) {
        while (bytes.hasRemaining()) {
            if (bytes.get() != at(read)) {
                wrong.complete(read);
                return false;
            }
            read++;
        }
        if (read == total) {
            wrong.complete(0);
        }
        return read < total;
    }
}
