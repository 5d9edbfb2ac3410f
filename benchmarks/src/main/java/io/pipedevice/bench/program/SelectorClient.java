// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Holds many connections in one selector. Some are busy: each has one message under way. When a message is back, either
 * the same connection sends the next one, or the connection that follows the one that sent last. No connection is
 * closed before the end. Every connection has carried a message when this is created or {@link #grow} returns, so the
 * server has accepted it.
 */
final class SelectorClient implements Job {
    /**
     * Length of the first message, which is sent before the answer is read: so little that it fits in any connection.
     */
    private static final int FIRST_LENGTH = 64;

    private final Sockets sockets;
    private final String address;
    private final int busy;
    private final boolean rotates;
    private final Selector selector = Selector.open();
    private final ByteBuffer buffer;

    /** What every message contains after its number. */
    private final ByteBuffer content;

    /** Opened by the thread that takes commands, registered by the job's thread. */
    private final Queue<SocketChannel> opened = new ConcurrentLinkedQueue<>();

    private final List<Turn> turns = new ArrayList<>();
    private int following;
    private int started;
    private int underWay;
    private long rounds;

    /**
     * Connects.
     *
     * @param busy number of messages under way
     * @param rotates whether the next message goes to the next connection instead of the one whose message is back
     */
    SelectorClient(Sockets sockets, String address, int size, int connections, int busy, boolean rotates)
            throws IOException {
        this.sockets = sockets;
        this.address = address;
        this.busy = busy;
        this.rotates = rotates;
        this.buffer = ByteBuffer.allocateDirect(size);
        this.content = new Pattern(size).next();
        buffer.put(content.duplicate());
        grow(connections);
    }

    /** A connection, and its message. */
    private static final class Turn {
        private final SocketChannel channel;
        private SelectionKey key;
        private boolean isUnderWay;
        private int sent;
        private long start;
        private long number;
        private int arrived;

        Turn(SocketChannel channel) {
            this.channel = channel;
        }
    }

    @Override
    public void grow(int connections) throws IOException {
        ByteBuffer message = ByteBuffer.allocateDirect(Math.min(FIRST_LENGTH, buffer.capacity()));
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
                    Turn turn = (Turn) key.attachment();
                    if (key.isWritable()) {
                        write(turn);
                    }
                    if (key.isReadable()) {
                        read(turn, progress);
                    }
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
            Turn turn = new Turn(channel);
            turns.add(turn);
            turn.key = channel.register(selector, SelectionKey.OP_READ, turn);
            if (started < busy) {
                started++;
                following = turns.size();
                send(turn);
            }
        }
    }

    /** The connection after the one that was returned last, except those whose message is under way. */
    private Turn next() {
        Turn turn;
        do {
            following = following == turns.size() ? 0 : following;
            turn = turns.get(following++);
        } while (turn.isUnderWay);
        return turn;
    }

    private void send(Turn turn) throws IOException {
        underWay++;
        turn.isUnderWay = true;
        turn.arrived = 0;
        turn.sent = 0;
        turn.number++;
        turn.start = System.nanoTime();
        write(turn);
    }

    /** Sends the rest of a message, or as much as there is room for. */
    private void write(Turn turn) throws IOException {
        buffer.clear().putLong(0, turn.number).position(turn.sent);
        turn.sent += turn.channel.write(buffer);
        boolean isDone = turn.sent == buffer.capacity();
        int wanted = isDone ? SelectionKey.OP_READ : SelectionKey.OP_READ | SelectionKey.OP_WRITE;
        if (turn.key.interestOps() != wanted) {
            turn.key.interestOps(wanted);
        }
    }

    private void read(Turn turn, Progress progress) throws IOException {
        int length = turn.channel.read(buffer.clear().position(turn.arrived));
        if (length < 0) {
            throw new IOException("the server ended a connection");
        }
        if (turn.arrived == 0 && length >= Long.BYTES && buffer.getLong(0) != turn.number) {
            throw new IOException("message " + turn.number + " came back as " + buffer.getLong(0));
        }
        turn.arrived += length;
        if (turn.arrived == buffer.capacity()) {
            if (progress.isChecking() && !PingPong.isUnchanged(buffer, content)) {
                throw new IOException("message " + turn.number + " came back changed");
            }
            progress.latency(System.nanoTime() - turn.start);
            progress.count(++rounds);
            underWay--;
            turn.isUnderWay = false;
            if (!progress.isStopping()) {
                send(rotates ? next() : turn);
            }
        }
    }
}
