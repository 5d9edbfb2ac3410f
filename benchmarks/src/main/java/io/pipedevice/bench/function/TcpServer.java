// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import io.pipedevice.samples.function.LocalCalls;
import io.pipedevice.samples.function.LocalRegions;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.List;

/**
 * What an owner would do without regions: it answers requests over TCP, on one thread, with the same functions on the
 * same memory. Answers to requests that have come together are sent together.
 */
final class TcpServer implements AutoCloseable {
    private static final int BUFFER = 1 << 16;

    private final ServerSocketChannel listener;
    private final LocalCalls[] functions;
    private final int length;

    /** Listens on a free port of the loopback. */
    TcpServer(Application application, List<MemorySegment> regions) throws IOException {
        LocalRegions access = new LocalRegions(regions);
        functions = application.compiled().stream()
                .map(each -> new LocalCalls(each, access))
                .toArray(LocalCalls[]::new);
        length = TcpMessage.MESSAGE_OFFSET + application.messageLength();
        listener = ServerSocketChannel.open().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        Thread thread = new Thread(this::serve, "tcp-server");
        thread.setDaemon(true);
        thread.start();
    }

    int port() {
        return listener.socket().getLocalPort();
    }

    private void serve() {
        try {
            for (; ; ) {
                try (SocketChannel client = listener.accept()) {
                    client.setOption(StandardSocketOptions.TCP_NODELAY, true);
                    serve(client);
                } catch (ClosedChannelException e) {
                    throw e;
                } catch (IOException e) {
                    System.err.println("a client of the TCP server has failed: " + e);
                }
            }
        } catch (ClosedChannelException e) {
            // The listener was closed: the end of the server.
            return;
        }
    }

    private void serve(SocketChannel client) throws IOException {
        ByteBuffer in = TcpMessage.buffer(BUFFER);
        ByteBuffer out = TcpMessage.buffer(BUFFER);
        while (client.read(in) >= 0) {
            in.flip();
            int at = 0;
            for (; in.limit() - at >= length; at += length) {
                if (out.remaining() < length) {
                    TcpMessage.send(client, out);
                }
                answer(in, at, out);
            }
            TcpMessage.send(client, out);
            in.position(at).compact();
        }
    }

    private void answer(ByteBuffer in, int at, ByteBuffer out) throws IOException {
        int number = in.getInt(at + TcpMessage.FUNCTION_OFFSET);
        if (number < 0 || number >= functions.length) {
            throw new IOException("a request for function " + number);
        }
        LocalCalls function = functions[number];
        TcpMessage.read(in, at, function.message());
        long result = function.call();
        int to = out.position();
        out.putInt(to + TcpMessage.SLOT_OFFSET, in.getInt(at + TcpMessage.SLOT_OFFSET));
        out.putLong(to + TcpMessage.RESULT_OFFSET, result);
        TcpMessage.write(function.message(), out, to);
        out.position(to + length);
    }

    @Override
    public void close() throws IOException {
        listener.close();
    }
}
