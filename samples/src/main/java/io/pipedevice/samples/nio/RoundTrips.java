// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.nio;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * A server that sends back what it receives, and a client that does nothing but wait for it: programs for two
 * containers. Each second the client prints how many messages of {@value #LENGTH} bytes went there and back, the median
 * of their times, and its channel, which says by which way they went. After {@value #REPORTS} seconds, or when the
 * server has gone, it connects again.
 */
public final class RoundTrips {
    private static final int LENGTH = 64;

    private static final int REPORTS = 5;

    private RoundTrips() {}

    /**
     * Runs one of the two.
     *
     * @param args {@code server PORT}, or {@code client HOST PORT}
     * @throws IOException if the server cannot listen
     * @throws InterruptedException if the thread is interrupted
     */
    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws IOException, InterruptedException {
        if (args.length == 2 && args[0].equals("server")) {
            serve(Integer.parseInt(args[1]));
        }
        if (args.length != 3 || !args[0].equals("client")) {
            System.err.println("arguments: server PORT, or client HOST PORT");
            System.exit(2);
        }
        while (true) {
            try (SocketChannel channel =
                    SocketChannel.open(new InetSocketAddress(args[1], Integer.parseInt(args[2])))) {
                exchange(channel);
            } catch (IOException | java.nio.channels.UnresolvedAddressException e) {
                System.out.println(e);
            }
            TimeUnit.SECONDS.sleep(1);
        }
    }

    @SuppressWarnings("SystemOut")
    private static void serve(int port) throws IOException {
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(port))) {
            System.out.println("listening at " + server.getLocalAddress());
            while (true) {
                SocketChannel channel = server.accept();
                System.out.println("accepted " + channel);
                new Thread(() -> echo(channel)).start();
            }
        }
    }

    @SuppressWarnings("SystemOut")
    private static void echo(SocketChannel channel) {
        try (channel) {
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            ByteBuffer message = ByteBuffer.allocateDirect(LENGTH);
            while (channel.read(message.clear()) >= 0) {
                writeAll(channel, message.flip());
            }
        } catch (IOException e) {
            System.out.println(e);
        }
    }

    @SuppressWarnings("SystemOut")
    private static void exchange(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        ByteBuffer message = ByteBuffer.allocateDirect(LENGTH);
        long[] nanos = new long[1 << 22];
        for (int report = 0; report < REPORTS; report++) {
            long begin = System.nanoTime();
            long before = begin;
            int count = 0;
            while (before - begin < TimeUnit.SECONDS.toNanos(1) && count < nanos.length) {
                writeAll(channel, message.clear());
                message.clear();
                while (message.hasRemaining()) {
                    if (channel.read(message) < 0) {
                        throw new IOException("the server has ended the connection");
                    }
                }
                long now = System.nanoTime();
                nanos[count++] = now - before;
                before = now;
            }
            Arrays.sort(nanos, 0, count);
            System.out.printf(
                    Locale.ROOT, "%,d there and back, median %.1f us, %s%n", count, nanos[count / 2] / 1e3, channel);
        }
    }

    private static void writeAll(SocketChannel channel, ByteBuffer from) throws IOException {
        while (from.hasRemaining()) {
            channel.write(from);
        }
    }
}
