// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.IOException;
import java.net.SocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A program that does its first operations, and as little else as possible. */
public final class ColdProgram {
    /** Number of seconds after the start of the process in which connections are counted. */
    public static final int SECONDS = 3;

    private static final long SECOND_NS = 1_000_000_000;

    private ColdProgram() {}

    /**
     * Does one of three things.
     *
     * @param args {@code selector}: opens a selector; {@code connect ADDRESS}: makes one connection, and prints its
     *     nanoseconds; {@code connections ADDRESS NANOS}: makes and closes connections for {@link #SECONDS} after the
     *     moment NANOS, and prints their number for each second
     * @throws IOException if that fails
     */
    public static void main(String[] args) throws IOException {
        switch (args[0]) {
            case "selector" -> Selector.open().close();
            case "connect" -> connectOnce(new Target(args[1]).next());
            case "connections" -> makeConnections(new Target(args[1]).next(), Long.parseLong(args[2]));
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void connectOnce(SocketAddress address) throws IOException {
        ByteBuffer one = ByteBuffer.allocateDirect(1);
        long start = System.nanoTime();
        connect(address, one);
        System.out.println(System.nanoTime() - start);
    }

    private static void makeConnections(SocketAddress address, long start) throws IOException {
        ByteBuffer one = ByteBuffer.allocateDirect(1);
        int[] made = new int[SECONDS];
        while (true) {
            connect(address, one.put(0, (byte) 0));
            int second = (int) ((System.nanoTime() - start) / SECOND_NS);
            if (second >= SECONDS) {
                break;
            }
            made[second]++;
        }
        connect(address, one.put(0, ConnectClient.LAST));
        for (int count : made) {
            System.out.println(count);
        }
    }

    private static void connect(SocketAddress address, ByteBuffer one) throws IOException {
        try (SocketChannel channel = SocketChannel.open(address)) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.write(one.clear());
            if (!PingPong.read(channel, one.clear())) {
                throw new IOException("the server ended the connection");
            }
        }
    }
}
