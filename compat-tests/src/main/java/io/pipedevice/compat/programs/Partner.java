// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * One end of a connection, which reports how the connection ends: a server, or with {@code port=N} a client. After a
 * greeting in each direction it does what {@code then} names: {@code read} waits for a byte; {@code send} sends some
 * that the other end does not read, and then waits for one; {@code fill} sends until it cannot; {@code rest} does
 * nothing.
 */
final class Partner {
    private static final int SOME = 1000;
    private static final int MUCH = 1 << 16;

    private Partner() {}

    public static void main(String[] args) throws IOException {
        Arguments arguments = new Arguments(args);
        Thread.ofPlatform().daemon().start(() -> {
            try {
                work(arguments);
            } catch (IOException e) {
                System.out.println("ENDED " + e.getMessage());
            }
        });
        Console.awaitEnd();
    }

    private static void work(Arguments arguments) throws IOException {
        InetAddress host = InetAddress.getLoopbackAddress();
        if (arguments.has("port")) {
            Console.ready();
            converse(SocketChannel.open(new InetSocketAddress(host, arguments.number("port"))), arguments);
        } else {
            try (ServerSocketChannel server = ServerSocketChannel.open()) {
                server.bind(new InetSocketAddress(host, 0));
                Console.ready("port=" + server.socket().getLocalPort());
                converse(server.accept(), arguments);
            }
        }
    }

    private static void converse(SocketChannel channel, Arguments arguments) throws IOException {
        ByteBuffer one = ByteBuffer.allocate(1);
        channel.write(ByteBuffer.allocate(1));
        Checks.same(1, channel.read(one));
        System.out.println("CONNECTED");
        switch (arguments.text("then")) {
            case "read" -> ended(channel.read(one.clear()));
            case "send" -> {
                channel.write(ByteBuffer.allocate(SOME));
                System.out.println("SENT");
                ended(channel.read(one.clear()));
            }
            case "fill" -> fill(channel);
            default -> Checks.same("rest", arguments.text("then"));
        }
    }

    private static void fill(SocketChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocateDirect(MUCH);
        System.out.println("SENT");
        while (channel.isOpen()) {
            channel.write(buffer.clear());
        }
    }

    private static void ended(int count) {
        System.out.println("ENDED " + count);
    }
}
