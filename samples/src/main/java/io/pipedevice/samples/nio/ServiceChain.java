// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.nio;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * The processes of a chain of network functions: a client sends encrypted requests to a firewall, which passes them to
 * a balancer, which passes each to one of several workers, which decrypt them. The answers take the way back.
 *
 * <p>Every process but the client prints {@code listening PORT}. Those that pass requests on, and the client, read the
 * addresses of the next ones from their input, as {@code HOST PORT HOST PORT ...}. {@link ChainClient} says what the
 * client prints. The others end when the client does.
 */
public final class ServiceChain {
    private ServiceChain() {}

    /**
     * Runs one process.
     *
     * @param args as {@link ChainArguments#parse} wants them
     * @throws IOException if a neighbour ends early
     * @throws GeneralSecurityException if there is no cipher
     * @throws InterruptedException if this thread is interrupted
     * @throws ExecutionException if an answer is missing or wrong
     */
    @SuppressWarnings("SystemOut")
    public static void main(String[] args)
            throws IOException, GeneralSecurityException, InterruptedException, ExecutionException {
        ChainArguments arguments = ChainArguments.parse(args);
        if (arguments.isClient()) {
            try (SocketChannel chain = connect().getFirst()) {
                new ChainClient(arguments, new Chain(chain, arguments.length())).run();
            }
            return;
        }
        ChainFunction function = ChainFunction.named(arguments.name());
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(arguments.host(), 0))) {
            System.out.println("listening " + ((InetSocketAddress) server.getLocalAddress()).getPort());
            List<SocketChannel> next = arguments.isWorker() ? List.of() : connect();
            try (SocketChannel client = server.accept()) {
                client.setOption(StandardSocketOptions.TCP_NODELAY, true);
                serve(client, next, function, arguments.length());
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

    /** The client's connection. */
    private static final class Chain implements ChainClient.Connection {
        private final SocketChannel channel;
        private final ByteBuffer request;
        private final ByteBuffer answer = ByteBuffer.allocateDirect(ChainFunction.ANSWER);

        private Chain(SocketChannel channel, int length) {
            this.channel = channel;
            this.request = ByteBuffer.allocateDirect(length);
        }

        @Override
        public void send(ChainFunction.Source source, int number) throws IOException, GeneralSecurityException {
            source.write(number, request);
            ServiceChain.write(channel, request);
        }

        @Override
        public void receive(ChainAnswers answers) throws IOException {
            if (!read(channel, answer.clear())) {
                throw new EOFException("the chain has ended");
            }
            answers.add(answer);
        }

        /** The channel, which says by which way the data go. */
        @Override
        public String toString() {
            return channel.toString();
        }
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
