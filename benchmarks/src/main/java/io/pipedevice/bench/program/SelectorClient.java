// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Iterator;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Holds many connections in one selector. Some are busy: each has one message under way, and sends the next when that is
 * back; none is closed before. Every connection has carried a message when this is created or {@link #grow} returns, so the server has accepted it.
 */
final class SelectorClient implements Job {
    private final Sockets sockets;
    private final String address;
    private final int busy;
    private final Selector selector = Selector.open();
    private final ByteBuffer buffer;

    /** Opened by the thread that takes commands, registered by the job's. */
    private final Queue<SocketChannel> opened = new ConcurrentLinkedQueue<>();

    private int started;
    private int underWay;
    private long rounds;

    SelectorClient(Sockets sockets, String address, int size, int connections, int busy) throws IOException {
        this.sockets = sockets;
        this.address = address;
        this.busy = busy;
        this.buffer = ByteBuffer.allocateDirect(size);
        grow(connections);
    }

    /** A message that is under way. */
    private static final class Turn {
        private long start;
        private long number;
        private int arrived;
    }

    @Override
    public void grow(int connections) throws IOException {
        ByteBuffer message = ByteBuffer.allocateDirect(buffer.capacity());
        for (int i = 0; i < connections; i++) {
            SocketChannel channel = sockets.connect(address);
            sockets.noDelay(channel);
            channel.write(message.clear());
            if (!PingPong.read(channel, message.clear())) {
                throw new IOException("the server ended a connection");
            }
            channel.configureBlocking(false);
            opened.add(channel);
        }
        selector.wakeup();
    }

    @Override
    public void wake() {
        selector.wakeup();
    }

    @Override
    public void run(Progress progress) throws IOException {
        try {
            while (!progress.isStopping() || underWay > 0) {
                register();
                selector.select();
                Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
                while (keys.hasNext()) {
                    SelectionKey key = keys.next();
                    keys.remove();
                    read((SocketChannel) key.channel(), (Turn) key.attachment(), progress);
                }
            }
        } finally {
            for (SelectionKey key : selector.keys()) {
                key.channel().close();
            }
            selector.close();
        }
    }

    private void register() throws IOException {
        for (SocketChannel channel = opened.poll(); channel != null; channel = opened.poll()) {
            Turn turn = new Turn();
            channel.register(selector, SelectionKey.OP_READ, turn);
            if (started < busy) {
                started++;
                send(channel, turn);
            }
        }
    }

    private void send(SocketChannel channel, Turn turn) throws IOException {
        underWay++;
        turn.arrived = 0;
        turn.number++;
        buffer.clear().putLong(0, turn.number);
        turn.start = System.nanoTime();
        if (channel.write(buffer) != buffer.capacity()) {
            throw new IOException("one message fills the connection");
        }
    }

    private void read(SocketChannel channel, Turn turn, Progress progress) throws IOException {
        int length = channel.read(buffer.clear().position(turn.arrived));
        if (length < 0) {
            throw new IOException("the server ended a connection");
        }
        if (turn.arrived == 0 && length >= Long.BYTES && buffer.getLong(0) != turn.number) {
            throw new IOException("message " + turn.number + " came back as " + buffer.getLong(0));
        }
        turn.arrived += length;
        if (turn.arrived == buffer.capacity()) {
            progress.latency(System.nanoTime() - turn.start);
            progress.count(++rounds);
            underWay--;
            if (!progress.isStopping()) {
                send(channel, turn);
            }
        }
    }
}
