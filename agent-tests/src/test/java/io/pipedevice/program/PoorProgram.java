// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program;

import java.io.FileInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayDeque;

/**
 * A program that has used up its descriptors when it begins to select for a connection. It prints the ready channels
 * twice: while no descriptor is left, and after some were closed.
 */
public final class PoorProgram {
    private static final int PATIENCE_MS = 30_000;
    private static final int ENOUGH = 32;

    private PoorProgram() {}

    public static void main(String[] args) throws IOException {
        Pipe pipe = Pipe.open();
        try (Selector selector = Selector.open();
                ServerSocketChannel server = ServerSocketChannel.open()) {
            pipe.source().configureBlocking(false).register(selector, SelectionKey.OP_READ, "pipe");
            selector.selectNow();
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            try (SocketChannel client = SocketChannel.open(server.getLocalAddress());
                    SocketChannel accepted = server.accept()) {
                ArrayDeque<FileInputStream> hoard = hoard();
                client.write(ByteBuffer.allocate(1));
                pipe.sink().write(ByteBuffer.allocate(1));
                accepted.configureBlocking(false).register(selector, SelectionKey.OP_READ, "connection");
                selector.select(PATIENCE_MS);
                print(selector);
                pipe.source().read(ByteBuffer.allocate(1));
                for (int i = 0; i < ENOUGH; i++) {
                    hoard.remove().close();
                }
                selector.select(PATIENCE_MS);
                print(selector);
            }
        }
    }

    private static ArrayDeque<FileInputStream> hoard() {
        ArrayDeque<FileInputStream> hoard = new ArrayDeque<>();
        try {
            while (true) {
                hoard.add(new FileInputStream("/dev/null"));
            }
        } catch (IOException e) {
            return hoard;
        }
    }

    private static void print(Selector selector) {
        selector.selectedKeys().forEach(key -> System.out.println("ready " + key.attachment()));
        selector.selectedKeys().clear();
    }
}
