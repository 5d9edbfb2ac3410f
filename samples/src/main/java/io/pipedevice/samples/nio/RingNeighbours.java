// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.nio;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/** The two neighbours of a process in a ring: it sends to the next one, and receives from the one before. */
final class RingNeighbours implements AutoCloseable {
    private static final int MESSAGE = 1 << 20;

    private final Selector selector;
    private final SocketChannel next;
    private final SocketChannel before;
    private final SelectionKey sends;
    private final SelectionKey receives;
    private final FloatSums sums = new FloatSums();
    private final ByteBuffer received = ByteBuffer.allocateDirect(MESSAGE);
    private final MemorySegment terms = MemorySegment.ofBuffer(received);

    private RingNeighbours(Selector selector, SocketChannel next, SocketChannel before) throws IOException {
        this.selector = selector;
        this.next = next;
        this.before = before;
        next.setOption(StandardSocketOptions.TCP_NODELAY, true).configureBlocking(false);
        before.configureBlocking(false);
        sends = next.register(selector, 0);
        receives = before.register(selector, 0);
    }

    static RingNeighbours meet(ServerSocketChannel server, InetSocketAddress address) throws IOException {
        return new RingNeighbours(Selector.open(), SocketChannel.open(address), server.accept());
    }

    /**
     * Sends a part of the array, and receives another one at the same time.
     *
     * @param adds whether the floats that are received are added to those of the part, else they replace them
     */
    void exchange(ByteBuffer send, ByteBuffer receive, boolean adds) throws IOException {
        while (send.hasRemaining() || receive.hasRemaining()) {
            int sent = send(send);
            if (receive(receive, adds) == 0 && sent == 0) {
                sends.interestOps(send.hasRemaining() ? SelectionKey.OP_WRITE : 0);
                receives.interestOps(receive.hasRemaining() ? SelectionKey.OP_READ : 0);
                selector.select(key -> {});
            }
        }
    }

    private int send(ByteBuffer part) throws IOException {
        int all = part.limit();
        part.limit(Math.min(all, part.position() + MESSAGE));
        try {
            return next.write(part);
        } finally {
            part.limit(all);
        }
    }

    private int receive(ByteBuffer part, boolean adds) throws IOException {
        if (!part.hasRemaining()) {
            return 0;
        }
        // Bytes of a float that has not come as a whole are kept in front.
        ByteBuffer into = adds ? received : part;
        int all = part.limit();
        if (adds) {
            received.limit(Math.min(MESSAGE, part.remaining()));
        } else {
            part.limit(Math.min(all, part.position() + MESSAGE));
        }
        int count;
        try {
            count = before.read(into);
        } finally {
            part.limit(all);
        }
        if (count < 0) {
            throw new EOFException("the process before has ended");
        }
        if (adds && count > 0) {
            add(part);
        }
        return count;
    }

    private void add(ByteBuffer part) {
        int whole = received.position() & -Float.BYTES;
        MemorySegment into = MemorySegment.ofBuffer(part);
        for (int done = 0, count; done < whole; done += count) {
            count = sums.add(terms, done, into, done, whole - done);
            sums.copyTo(into, done);
        }
        part.position(part.position() + whole);
        received.limit(received.position()).position(whole);
        received.compact();
    }

    /** The channels, which say by which way the data go. */
    @Override
    public String toString() {
        return next + " " + before;
    }

    @Override
    public void close() throws IOException {
        next.close();
        before.close();
        selector.close();
    }
}
