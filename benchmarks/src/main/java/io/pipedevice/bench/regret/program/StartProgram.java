// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;

/** A program that does its first operations, and as little else as possible. */
public final class StartProgram {
    private static final long SECOND_NS = 1_000_000_000;

    private StartProgram() {}

    /**
     * Does one of three things.
     *
     * @param args {@code selector}: opens a selector; {@code connect PORT}: makes one connection, prints its
     *     nanoseconds, and keeps it until the end of standard input; {@code second PORT NANOS}: makes and closes
     *     connections until one second after the moment NANOS, and prints their number
     * @throws IOException if that fails
     */
    public static void main(String[] args) throws IOException {
        switch (args[0]) {
            case "selector" -> Selector.open().close();
            case "connect" -> connect(Integer.parseInt(args[1]));
            case "second" -> connectForASecond(Integer.parseInt(args[1]), Long.parseLong(args[2]));
            default -> throw new IllegalArgumentException(args[0]);
        }
    }

    private static void connect(int port) throws IOException {
        ByteBuffer one = ByteBuffer.allocateDirect(1);
        long start = System.nanoTime();
        try (SocketChannel channel = ConnectClient.connected(port, one)) {
            System.out.println(System.nanoTime() - start);
            while (channel.isOpen() && System.in.read() >= 0) {
                // The process that started this one never writes data.
            }
        }
    }

    private static void connectForASecond(int port, long start) throws IOException {
        ByteBuffer one = ByteBuffer.allocateDirect(1);
        int made = 0;
        while (System.nanoTime() - start < SECOND_NS) {
            ConnectClient.connected(port, one).close();
            made++;
        }
        System.out.println(made);
    }
}
