// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.Scanner;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A program of java.nio that makes one connection after the other, without any reference to PipeDevice. As a server it
 * sends back what it receives; as a client it checks the bytes that come back. The other end may be killed at any time,
 * which both see as on TCP; anything else is a failure. It does what its input says, a line at a time, and answers with
 * a line that begins with SAID.
 */
public final class StormingProgram {
    private static final int LENGTH = 3000;
    private static final long PAUSE_NS = 1_000_000;

    /** How the kill of the other end looks on TCP. */
    private static final Set<String> ENDINGS =
            Set.of("Connection reset", "Connection reset by peer", "Broken pipe", "Connection refused", "end");

    private static final AtomicLong EXCHANGES = new AtomicLong();
    private static final AtomicLong ON_RINGS = new AtomicLong();
    private static final Queue<String> FAILURES = new ConcurrentLinkedQueue<>();

    /** Calls that have not returned, and what they do. */
    private static final Set<Thread> BUSY = ConcurrentHashMap.newKeySet();

    private static volatile boolean storms;

    private StormingProgram() {}

    public static void main(String[] arguments) throws IOException {
        System.out.println("STARTED");
        Scanner input = new Scanner(System.in, StandardCharsets.UTF_8);
        while (input.hasNextLine()) {
            String[] words = input.nextLine().split(" ");
            switch (words[0]) {
                case "listen" -> listen(at(words));
                case "storm" -> {
                    storms = true;
                    for (int i = 0; i < Integer.parseInt(words[3]); i++) {
                        start(() -> storm(at(words)));
                    }
                }
                case "calm" -> storms = false;
                case "probe" -> probe(at(words));
                default -> {}
            }
            System.out.println("SAID " + EXCHANGES.get() + " " + ON_RINGS.get() + " " + BUSY.size() + " " + FAILURES);
        }
    }

    private static InetSocketAddress at(String[] words) {
        return new InetSocketAddress(words[1], Integer.parseInt(words[2]));
    }

    private static void start(Runnable task) {
        Thread thread = new Thread(
                () -> {
                    BUSY.add(Thread.currentThread());
                    try {
                        task.run();
                    } finally {
                        BUSY.remove(Thread.currentThread());
                    }
                },
                "storm");
        thread.setDaemon(true);
        thread.start();
    }

    private static void failed(IOException e) {
        String text = String.valueOf(e.getMessage());
        if (!ENDINGS.contains(text)) {
            FAILURES.add(e + " " + List.of(e.getStackTrace()));
        }
    }

    private static void listen(InetSocketAddress at) throws IOException {
        ServerSocketChannel server = ServerSocketChannel.open().bind(at, 256);
        Thread thread = new Thread(
                () -> {
                    try {
                        while (true) {
                            SocketChannel accepted = server.accept();
                            start(() -> echo(accepted));
                        }
                    } catch (IOException e) {
                        FAILURES.add("accept: " + e);
                    }
                },
                "accept");
        thread.setDaemon(true);
        thread.start();
    }

    private static void echo(SocketChannel channel) {
        try (channel) {
            ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
            while (channel.read(bytes.clear()) >= 0) {
                bytes.flip();
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
            }
        } catch (IOException e) {
            failed(e);
        }
    }

    private static void storm(InetSocketAddress to) {
        while (storms) {
            probe(to);
            LockSupport.parkNanos(PAUSE_NS);
        }
    }

    /** Connects, exchanges a message, and closes. */
    private static void probe(InetSocketAddress to) {
        try (SocketChannel channel = SocketChannel.open(to)) {
            boolean onRings = channel.toString().endsWith(" rings]");
            exchange(channel);
            EXCHANGES.incrementAndGet();
            ON_RINGS.addAndGet(onRings ? 1 : 0);
        } catch (IOException e) {
            failed(e);
        }
    }

    private static void exchange(SocketChannel channel) throws IOException {
        ByteBuffer bytes = ByteBuffer.allocate(LENGTH);
        int seed = (int) EXCHANGES.get();
        for (int i = 0; i < LENGTH; i++) {
            bytes.put((byte) (i * 31 + seed));
        }
        bytes.flip();
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
        bytes.clear();
        while (bytes.hasRemaining()) {
            if (channel.read(bytes) < 0) {
                throw new EOFException("end");
            }
        }
        for (int i = 0; i < LENGTH; i++) {
            if (bytes.get(i) != (byte) (i * 31 + seed)) {
                FAILURES.add("wrong byte at " + i);
            }
        }
    }
}
