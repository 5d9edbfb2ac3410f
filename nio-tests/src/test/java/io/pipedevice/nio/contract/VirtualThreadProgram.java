// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.Closeable;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;

/**
 * The program that {@link VirtualThreadContractTest} runs in a JVM with one carrier. If it fails it ends with an
 * exception.
 */
final class VirtualThreadProgram {
    /** The calls in which virtual threads are blocked while others continue. */
    private enum Part {
        READ,
        ACCEPT,
        CONNECT,
        WRITE,
        SELECT
    }

    private final Pairing pairing;
    private final int threads;
    private final ServerSocketChannel listener;
    private final ExecutorService virtual = Executors.newVirtualThreadPerTaskExecutor();
    private final Queue<Closeable> opened = new ConcurrentLinkedQueue<>();

    private VirtualThreadProgram(Pairing pairing, int threads) throws IOException {
        this.pairing = pairing;
        this.threads = threads;
        this.listener = kept(pairing.server().openServerSocketChannel())
                .bind(new InetSocketAddress(pairing.serverHost(), 0), 1000);
    }

    public static void main(String[] args) throws Exception {
        for (Part part : Part.values()) {
            System.out.println(part);
            new VirtualThreadProgram(Pairing.valueOf(args[0]), Integer.parseInt(args[1])).play(part);
        }
        // The JVM ends with its last platform thread, even if virtual threads still wait.
        System.out.println("done");
    }

    /** Plays a part, and closes all channels, because the next part needs as many. */
    private void play(Part part) throws Exception {
        switch (part) {
            case READ -> read();
            case ACCEPT -> accept();
            case CONNECT -> connect();
            case WRITE -> write();
            case SELECT -> select();
        }
        for (Closeable channel : opened) {
            channel.close();
        }
    }

    /** Very many threads wait for a byte; all get one and send it back. */
    private void read() throws Exception {
        List<Connection> connections = new ArrayList<>();
        List<Future<Integer>> readers = new ArrayList<>();
        CountDownLatch started = new CountDownLatch(threads);
        for (int i = 0; i < threads; i++) {
            Connection connection = pair();
            connections.add(connection);
            readers.add(virtual.submit(() -> {
                started.countDown();
                byte[] one = Bytes.receive(connection.server(), 1);
                Bytes.send(connection.server(), one);
                return 1;
            }));
        }
        started.await();
        othersGoOn();
        for (int i = threads - 1; i >= 0; i--) {
            byte[] one = {(byte) i};
            Bytes.send(connections.get(i).client(), one);
            Bytes.expect(connections.get(i).client(), one);
        }
        for (Future<Integer> reader : readers) {
            reader.get();
        }
    }

    private void accept() throws Exception {
        CountDownLatch started = new CountDownLatch(1);
        Future<SocketChannel> accepting = virtual.submit(() -> {
            started.countDown();
            return kept(listener.accept());
        });
        started.await();
        othersGoOnElsewhere();
        SocketChannel client = kept(pairing.client().openSocketChannel());
        client.connect(listener.getLocalAddress());
        Bytes.send(client, "x");
        Bytes.expect(accepting.get(), "x");
    }

    /** All clients connect from virtual threads, and one thread accepts them. */
    private void connect() throws Exception {
        Future<Integer> accepting = virtual.submit(() -> {
            for (int i = 0; i < threads; i++) {
                SocketChannel server = kept(listener.accept());
                Bytes.expect(server, "x");
                Bytes.send(server, "y");
            }
            return threads;
        });
        List<Future<Integer>> clients = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            clients.add(virtual.submit(() -> {
                SocketChannel client = kept(pairing.client().openSocketChannel());
                client.connect(listener.getLocalAddress());
                Bytes.send(client, "x");
                Bytes.expect(client, "y");
                return 1;
            }));
        }
        accepting.get();
        for (Future<Integer> client : clients) {
            client.get();
        }
    }

    /** A few threads have filled their connections and wait for room. */
    private void write() throws Exception {
        List<Connection> connections = new ArrayList<>();
        List<Future<Integer>> writers = new ArrayList<>();
        int size = 10_000_000;
        for (int i = 0; i < 5; i++) {
            Connection connection = pair();
            connections.add(connection);
            writers.add(virtual.submit(() -> {
                Bytes.send(connection.client(), new byte[size]);
                return size;
            }));
        }
        othersGoOn();
        for (int i = 0; i < connections.size(); i++) {
            Bytes.receive(connections.get(i).server(), size);
            writers.get(i).get();
        }
    }

    private void select() throws Exception {
        Connection connection = pair();
        connection.client().configureBlocking(false);
        Selector selector = kept(connection.client().provider().openSelector());
        connection.client().register(selector, SelectionKey.OP_READ);
        CountDownLatch started = new CountDownLatch(1);
        Future<Integer> selecting = virtual.submit(() -> {
            started.countDown();
            return selector.select();
        });
        started.await();
        othersGoOn();
        Bytes.send(connection.server(), "x");
        if (selecting.get() != 1) {
            throw new AssertionError("select gave " + selecting.get());
        }
        Future<Integer> woken = virtual.submit((Callable<Integer>) () -> {
            connection.client().read(ByteBuffer.allocate(1));
            return selector.select();
        });
        othersGoOn();
        selector.wakeup();
        woken.get();
    }

    /** Virtual threads that were started later have a conversation. */
    private void othersGoOn() throws Exception {
        converse(pair());
    }

    private void othersGoOnElsewhere() throws Exception {
        try (ServerSocketChannel other =
                pairing.server().openServerSocketChannel().bind(new InetSocketAddress(pairing.serverHost(), 0))) {
            converse(pair(other));
        }
    }

    private void converse(Connection connection) throws Exception {
        int rounds = 50;
        Future<Integer> answering = virtual.submit(() -> {
            for (int i = 0; i < rounds; i++) {
                Bytes.send(connection.server(), Bytes.receive(connection.server(), 3));
            }
            return rounds;
        });
        Future<Integer> asking = virtual.submit(() -> {
            for (int i = 0; i < rounds; i++) {
                Bytes.send(connection.client(), "abc");
                Bytes.expect(connection.client(), "abc");
            }
            return rounds;
        });
        answering.get();
        asking.get();
    }

    private <T extends Closeable> T kept(T channel) {
        opened.add(channel);
        return channel;
    }

    private Connection pair() throws Exception {
        return pair(listener);
    }

    private Connection pair(ServerSocketChannel at) throws Exception {
        SocketChannel client = kept(pairing.client().openSocketChannel());
        FutureTask<SocketChannel> accepting = new FutureTask<>(at::accept);
        if (pairing.connectsWhenAccepted()) {
            new Thread(accepting).start();
        }
        client.connect(at.getLocalAddress());
        // Runs once.
        accepting.run();
        Connection connection = new Connection(client, kept(accepting.get()));
        Transports.check(pairing, connection);
        return connection;
    }
}
