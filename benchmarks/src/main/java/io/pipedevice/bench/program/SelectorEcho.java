// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Iterator;

/** Sends received data back, on any number of connections, with one thread; ends with the last connection. */
final class SelectorEcho implements Job.Server {
    private final Sockets sockets;
    private final ServerSocketChannel listener;
    private final ByteBuffer buffer;
    private long open;

    SelectorEcho(Sockets sockets, int size) throws IOException {
        this.sockets = sockets;
        this.listener = sockets.listen();
        this.buffer = ByteBuffer.allocateDirect(size);
    }

    @Override
    public String address() throws IOException {
        return sockets.address(listener);
    }

    @Override
    public void run(Progress progress) throws IOException {
        try (listener;
                Selector selector = Selector.open()) {
            listener.configureBlocking(false);
            listener.register(selector, SelectionKey.OP_ACCEPT);
            long answers = 0;
            do {
                selector.select();
                Iterator<SelectionKey> keys = selector.selectedKeys().iterator();
                while (keys.hasNext()) {
                    SelectionKey key = keys.next();
                    keys.remove();
                    if (key.isAcceptable()) {
                        accept(selector);
                    } else if (key.attachment() == null ? echo(key) : finish(key)) {
                        progress.count(++answers);
                    }
                }
            } while (open > 0 || answers == 0);
        }
    }

    private void accept(Selector selector) throws IOException {
        for (SocketChannel channel = listener.accept(); channel != null; channel = listener.accept()) {
            sockets.noDelay(channel);
            channel.configureBlocking(false);
            channel.register(selector, SelectionKey.OP_READ);
            open++;
        }
    }

    /** Sends back what has arrived; true if that was all. A rest waits until the connection has room. */
    private boolean echo(SelectionKey key) throws IOException {
        SocketChannel channel = (SocketChannel) key.channel();
        int length = channel.read(buffer.clear());
        if (length < 0) {
            channel.close();
            open--;
            return false;
        }
        channel.write(buffer.flip());
        if (buffer.hasRemaining()) {
            key.attach(ByteBuffer.allocateDirect(buffer.remaining()).put(buffer).flip());
            key.interestOps(SelectionKey.OP_WRITE);
            return false;
        }
        return length > 0;
    }

    private static boolean finish(SelectionKey key) throws IOException {
        ByteBuffer rest = (ByteBuffer) key.attachment();
        ((SocketChannel) key.channel()).write(rest);
        if (rest.hasRemaining()) {
            return false;
        }
        key.attach(null);
        key.interestOps(SelectionKey.OP_READ);
        return true;
    }
}
