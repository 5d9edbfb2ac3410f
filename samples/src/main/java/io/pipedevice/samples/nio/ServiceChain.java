// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.nio;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The processes of a chain of network functions: a client sends encrypted requests to a firewall, which passes them to a
 * balancer, which passes each to one of several workers, which decrypt them. The answers take the way back.
 *
 * <p>Every process but the client prints {@code listening PORT}. Those that pass requests on, and the client, read the
 * addresses of the next ones from their input, as {@code HOST PORT HOST PORT ...}. The client prints {@code completed
 * SECONDS} and its channel when it has all answers. The others end when the client does.
 */
public final class ServiceChain {
    private ServiceChain() {}

    /**
     * Runs one process.
     *
     * @param args {@code client COUNT LENGTH} and perhaps how often, or {@code firewall LENGTH}, {@code balancer LENGTH}, or {@code worker LENGTH};
     *     then, except for a client, perhaps the address to listen at
     * @throws Exception if a neighbour ends early, or an answer is missing
     */
    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws Exception {
        if (args.length < 2) {
            System.err.println("arguments: client COUNT LENGTH [TIMES], or firewall|balancer|worker LENGTH [HOST]");
            System.exit(2);
        }
        if (args[0].equals("client")) {
            int times = args.length > 3 ? Integer.parseInt(args[3]) : 1;
            request(Integer.parseInt(args[1]), Integer.parseInt(args[2]), times);
            return;
        }
        ChainFunction function = ChainFunction.named(args[0]);
        InetAddress host = args.length > 2 ? InetAddress.getByName(args[2]) : InetAddress.getLoopbackAddress();
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(host, 0))) {
            System.out.println("listening " + ((InetSocketAddress) server.getLocalAddress()).getPort());
            List<SocketChannel> next = args[0].equals("worker") ? List.of() : connect();
            try (SocketChannel client = server.accept()) {
                client.setOption(StandardSocketOptions.TCP_NODELAY, true);
                serve(client, next, function, Integer.parseInt(args[1]));
            } finally {
                for (SocketChannel each : next) {
                    each.close();
                }
            }
        }
    }

    private static List<SocketChannel> connect() throws IOException {
        List<SocketChannel> channels = new ArrayList<>();
        for (InetSocketAddress each : NextProcesses.read()) {
            SocketChannel channel = SocketChannel.open(each);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channels.add(channel);
        }
        return channels;
    }

    private static void serve(SocketChannel client, List<SocketChannel> next, ChainFunction function, int length)
            throws IOException, InterruptedException, ExecutionException, GeneralSecurityException {
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> back = new ArrayList<>();
            for (SocketChannel each : next) {
                back.add(threads.submit(passBack(each, client)));
            }
            ByteBuffer request = ByteBuffer.allocateDirect(length);
            while (read(client, request.clear())) {
                request.flip();
                int chosen = function.handle(request);
                if (next.isEmpty()) {
                    write(client, request.clear().limit(ChainFunction.ANSWER));
                } else {
                    write(next.get(Math.floorMod(chosen, next.size())), request);
                }
            }
            for (SocketChannel each : next) {
                each.shutdownOutput();
            }
            for (Future<?> each : back) {
                each.get();
            }
        }
    }

    /** Passes the answers of a next process on. */
    private static Callable<Void> passBack(SocketChannel from, SocketChannel client) {
        return () -> {
            ByteBuffer answer = ByteBuffer.allocateDirect(ChainFunction.ANSWER);
            while (read(from, answer.clear())) {
                synchronized (client) {
                    write(client, answer.flip());
                }
            }
            return null;
        };
    }

    @SuppressWarnings("SystemOut")
    private static void request(int count, int length, int times) throws Exception {
        ChainFunction.Source source = new ChainFunction.Source(length);
        try (SocketChannel chain = connect().getFirst()) {
            for (int i = 0; i < times; i++) {
                System.out.println("completed " + seconds(chain, source, count) + " " + chain);
            }
        }
    }

    /** Sends all requests, and receives their answers at the same time. */
    private static double seconds(SocketChannel chain, ChainFunction.Source source, int count) throws Exception {
        try (ExecutorService threads = Executors.newSingleThreadExecutor()) {
            long begin = System.nanoTime();
            Future<BitSet> answers = threads.submit(() -> answers(chain, count));
            for (int number = 0; number < count; number++) {
                write(chain, source.request(number));
            }
            int answered = answers.get().cardinality();
            double seconds = (System.nanoTime() - begin) / 1e9;
            if (answered != count) {
                throw new IOException(answered + " of " + count + " requests were answered");
            }
            return seconds;
        }
    }

    private static BitSet answers(SocketChannel chain, int count) throws IOException {
        BitSet answered = new BitSet(count);
        ByteBuffer answer = ByteBuffer.allocateDirect(ChainFunction.ANSWER);
        for (int i = 0; i < count; i++) {
            if (!read(chain, answer.clear())) {
                throw new EOFException("the chain has ended");
            }
            answered.set(answer.getInt(0));
        }
        return answered;
    }

    /** Fills a buffer; false if the other end sends no more. */
    private static boolean read(SocketChannel from, ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            if (from.read(into) < 0) {
                if (into.position() > 0) {
                    throw new EOFException("the other end has ended within a message");
                }
                return false;
            }
        }
        return true;
    }

    private static void write(SocketChannel to, ByteBuffer from) throws IOException {
        while (from.hasRemaining()) {
            to.write(from);
        }
    }
}
