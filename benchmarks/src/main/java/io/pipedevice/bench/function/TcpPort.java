// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import java.io.EOFException;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** Requests over kernel TCP to a {@link TcpServer}, all on one connection; the client waits in a selector. */
final class TcpPort implements Port {
    private static final int BUFFER = 1 << 18;

    private final SocketChannel channel;
    private final Selector selector;
    private final MemorySegment[] messages;
    private final int[] functions;
    private final int length;
    private final ByteBuffer out = TcpMessage.buffer(BUFFER);

    /** Answers from its position to {@link #received}. */
    private final ByteBuffer in = TcpMessage.buffer(BUFFER);

    private int received;
    private long result;

    TcpPort(int port, int messageLength, int slots) throws IOException {
        length = TcpMessage.MESSAGE_OFFSET + messageLength;
        messages = IntStream.range(0, slots)
                .mapToObj(slot -> Arena.ofAuto().allocate(messageLength, Long.BYTES))
                .toArray(MemorySegment[]::new);
        functions = new int[slots];
        channel = SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        channel.configureBlocking(false);
        selector = Selector.open();
        channel.register(selector, SelectionKey.OP_READ);
    }

    @Override
    public int slots() {
        return messages.length;
    }

    @Override
    public MemorySegment message(int slot) {
        return messages[slot];
    }

    @Override
    public MemorySegment prepare(int slot, int function) {
        functions[slot] = function;
        return messages[slot];
    }

    @Override
    public void post(int slot) throws IOException {
        if (out.remaining() < length) {
            flush();
        }
        int at = out.position();
        out.putInt(at + TcpMessage.SLOT_OFFSET, slot);
        out.putInt(at + TcpMessage.FUNCTION_OFFSET, functions[slot]);
        TcpMessage.write(messages[slot], out, at);
        out.position(at + length);
    }

    @Override
    public void flush() throws IOException {
        if (out.position() > 0) {
            TcpMessage.send(channel, out);
        }
    }

    @Override
    public int poll() throws IOException {
        if (received - in.position() < length && !receive()) {
            return -1;
        }
        int at = in.position();
        int slot = in.getInt(at + TcpMessage.SLOT_OFFSET);
        result = in.getLong(at + TcpMessage.RESULT_OFFSET);
        TcpMessage.read(in, at, messages[slot]);
        in.position(at + length);
        return slot;
    }

    /** Whether an answer has come. */
    private boolean receive() throws IOException {
        in.limit(received).compact();
        int bytes = channel.read(in);
        received = in.position();
        in.position(0);
        if (bytes < 0) {
            throw new EOFException("the TCP server has ended");
        }
        return received >= length;
    }

    @Override
    public int await(long timeoutNs) throws IOException {
        int slot = poll();
        if (slot < 0) {
            selector.select(key -> {}, Math.max(1, TimeUnit.NANOSECONDS.toMillis(timeoutNs)));
            slot = poll();
        }
        return slot;
    }

    @Override
    public long result() {
        return result;
    }

    @Override
    public FunctionPlace place() {
        return FunctionPlace.TCP;
    }

    @Override
    public void close() throws IOException {
        selector.close();
        channel.close();
    }
}
