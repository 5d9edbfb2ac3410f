// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program;

import io.pipedevice.wait.FairTimeout;
import java.io.BufferedReader;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * A program of java.nio with many connections, without any reference to PipeDevice. As a server it sends back what it
 * receives; as a client it checks each byte that comes back. It does what its input says, a line at a time, and answers
 * with a line that begins with SAID.
 */
public final class EchoingProgram {
    private static final int LENGTH = 8192;

    /** So that some hundred connections leave processors to those that connect. */
    private static final long PAUSE_MS = 2;

    private static final AtomicLong EXCHANGES = new AtomicLong();
    private static final Queue<String> FAILURES = new ConcurrentLinkedQueue<>();
    private static final List<Thread> CLIENTS = new ArrayList<>();
    private static volatile boolean finish;

    private EchoingProgram() {}

    public static void main(String[] arguments) throws Exception {
        System.out.println("STARTED");
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            String answer;
            try {
                answer = serve(line.split(" "));
            } catch (IOException | RuntimeException e) {
                answer = e.toString();
            }
            System.out.println("SAID " + answer);
        }
    }

    private static String serve(String[] words) throws IOException, InterruptedException {
        return switch (words[0]) {
            case "listen" -> listen(new InetSocketAddress(words[1], Integer.parseInt(words[2])));
            case "open" ->
                open(new InetSocketAddress(words[1], Integer.parseInt(words[2])), Integer.parseInt(words[3]));
            case "probe" -> probe(new InetSocketAddress(words[1], Integer.parseInt(words[2])));
            case "count" -> EXCHANGES.get() + " " + FAILURES;
            case "finish" -> finish();
            default -> throw new IllegalArgumentException(words[0]);
        };
    }

    private static String listen(InetSocketAddress at) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open().bind(at, 256);
        start("accept", () -> {
            try {
                while (true) {
                    SocketChannel accepted = server.accept();
                    start("echo", () -> echo(accepted));
                }
            } catch (IOException e) {
                FAILURES.add(e.toString());
            }
        });
        return "LISTENS";
    }

    private static Thread start(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private static void echo(SocketChannel channel) {
        try (channel) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(LENGTH);
            while (channel.read(bytes.clear()) >= 0) {
                bytes.flip();
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
        } catch (IOException e) {
            FAILURES.add(e.toString());
        }
    }

    private static String way(SocketChannel channel) {
        String text = channel.toString();
        return text.endsWith(" rings]") ? "rings" : text.replace(' ', '-');
    }

    private static String open(InetSocketAddress to, int count) throws IOException {
        int onRings = 0;
        FairTimeout timeout = new FairTimeout(System.nanoTime(), TimeUnit.SECONDS.toNanos(20));
        for (int i = 0; i < count; i++) {
            SocketChannel channel = SocketChannel.open(to);
            String way = way(channel);
            while (!way.equals("rings") && !timeout.isOver()) {
                // The machine is busy: a driver or a server that is late leaves a connection to the kernel.
                System.err.println("connection " + i + " is tried again: " + way);
                channel.close();
                channel = SocketChannel.open(to);
                way = way(channel);
            }
            onRings += way.equals("rings") ? 1 : 0;
            SocketChannel open = channel;
            int seed = i;
            CLIENTS.add(start("client", () -> exchange(open, seed)));
        }
        return "OPEN " + onRings;
    }

    private static void exchange(SocketChannel channel, int seed) {
        try (channel) {
            ByteBuffer bytes = ByteBuffer.allocateDirect(LENGTH);
            for (int round = seed; !finish; round++) {
                roundTrip(channel, bytes, round);
                EXCHANGES.incrementAndGet();
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            }
            channel.shutdownOutput();
            if (channel.read(bytes.clear()) >= 0) {
                throw new IOException("more bytes than were sent");
            }
        } catch (IOException | InterruptedException e) {
            FAILURES.add(e.toString());
        }
    }

    private static void roundTrip(SocketChannel channel, ByteBuffer bytes, int seed) throws IOException {
        bytes.clear();
        for (int i = 0; i < bytes.capacity(); i += Integer.BYTES) {
            bytes.putInt(i * 31 + seed);
        }
        bytes.flip();
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        bytes.clear();
        while (bytes.hasRemaining()) {
            if (channel.read(bytes) < 0) {
                throw new EOFException("after " + bytes.position());
            }
        }
        for (int i = 0; i < bytes.capacity(); i += Integer.BYTES) {
            if (bytes.getInt(i) != i * 31 + seed) {
                throw new IOException("wrong bytes at " + i);
            }
        }
    }

    /** Connects, exchanges a message, and closes. */
    private static String probe(InetSocketAddress to) throws IOException {
        try (SocketChannel channel = SocketChannel.open(to)) {
            String way = way(channel);
            roundTrip(channel, ByteBuffer.allocateDirect(64), 7);
            return way;
        }
    }

    private static String finish() throws InterruptedException {
        finish = true;
        for (Thread each : CLIENTS) {
            each.join();
        }
        return "FINISHED " + FAILURES;
    }
}
