// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;

/**
 * A program without any reference to PipeDevice: a server with a selector echoes the bytes of a blocking client in the
 * same JVM. It prints the provider and the echo.
 */
public final class EchoProgram {
    private EchoProgram() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        System.out.println("provider " + SelectorProvider.provider().getClass().getName());
        try (Selector selector = Selector.open();
                ServerSocketChannel server = ServerSocketChannel.open()) {
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            server.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
            Thread echo = new Thread(() -> serve(selector, server), "echo");
            echo.setDaemon(true);
            echo.start();
            try (SocketChannel client = SocketChannel.open(server.getLocalAddress())) {
                client.write(ByteBuffer.wrap("hello".getBytes(StandardCharsets.US_ASCII)));
                ByteBuffer answer = ByteBuffer.allocate(5);
                int got;
                do {
                    got = client.read(answer);
                } while (got > 0 && answer.hasRemaining());
                System.out.println("echo " + new String(answer.array(), StandardCharsets.US_ASCII));
            }
            echo.join();
        }
    }

    private static void serve(Selector selector, ServerSocketChannel server) {
        ByteBuffer buffer = ByteBuffer.allocate(16);
        try {
            while (true) {
                selector.select();
                for (SelectionKey key : selector.selectedKeys()) {
                    if (key.isAcceptable()) {
                        server.accept().configureBlocking(false).register(selector, SelectionKey.OP_READ);
                    } else if (!echo((SocketChannel) key.channel(), buffer)) {
                        return;
                    }
                }
                selector.selectedKeys().clear();
            }
        } catch (IOException e) {
            System.out.println("server " + e);
        }
    }

    private static boolean echo(SocketChannel channel, ByteBuffer buffer) throws IOException {
        if (channel.read(buffer.clear()) < 0) {
            channel.close();
            return false;
        }
        channel.write(buffer.flip());
        return true;
    }
}
