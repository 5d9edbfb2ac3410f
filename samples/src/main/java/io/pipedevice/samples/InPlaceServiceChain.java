// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import io.pipedevice.lib.PdBuffer;
import io.pipedevice.lib.PdConnection;
import io.pipedevice.lib.PdListener;
import io.pipedevice.lib.PipeDevice;
import io.pipedevice.samples.nio.ChainAnswers;
import io.pipedevice.samples.nio.ChainArguments;
import io.pipedevice.samples.nio.ChainClient;
import io.pipedevice.samples.nio.ChainFunction;
import io.pipedevice.samples.nio.NextProcesses;
import io.pipedevice.samples.nio.ServiceChain;
import java.io.EOFException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * {@link ServiceChain} by PD Lib: a function handles a request where it lies in the receive ring, and passes it on by
 * writing it into the send ring of the next process, without a buffer in between. The client encrypts a request into
 * its send ring, and a worker decrypts it from its receive ring.
 *
 * <p>Input and output are those of {@link ServiceChain}. The property {@code pipedevice.driver} names the directory of
 * a driver; without it the processes are peers. The functions trust each other: one that breaks the rules could change
 * a request between peers after the next one has looked at it.
 */
public final class InPlaceServiceChain {
    /** The most bytes that are received at a time, so that the sender soon has room again. */
    private static final int MOST = 32 << 10;

    private final PdConnection client;
    private final BlockSender toClient;
    private final List<BlockSender> next = new ArrayList<>();
    private final int length;

    private InPlaceServiceChain(PdConnection client, List<PdConnection> next, int length) {
        this.client = client;
        this.toClient = new BlockSender(client);
        next.forEach(each -> this.next.add(new BlockSender(each)));
        this.length = length;
    }

    /**
     * Runs one process.
     *
     * @param args as those of {@link ServiceChain}
     * @throws IOException if a neighbour ends early
     * @throws GeneralSecurityException if there is no cipher
     * @throws InterruptedException if this thread is interrupted
     * @throws ExecutionException if an answer is missing or wrong
     */
    @SuppressWarnings("SystemOut")
    public static void main(String[] args)
            throws IOException, GeneralSecurityException, InterruptedException, ExecutionException {
        ChainArguments arguments = ChainArguments.parse(args);
        try (Placement placement = Placement.ofProperty()) {
            if (arguments.isClient()) {
                try (PdConnection chain = placement.connect(NextProcesses.read().getFirst(), 0)) {
                    new ChainClient(arguments, new Chain(chain, placement.text(chain), arguments.length())).run();
                }
                return;
            }
            ChainFunction function = ChainFunction.named(arguments.name());
            try (PdListener listener = placement.listen(arguments.host())) {
                System.out.println("listening " + listener.localAddress().getPort());
                List<PdConnection> next = arguments.isWorker() ? List.of() : connect(placement);
                try (PdConnection client = listener.accept(PipeDevice.FOREVER)) {
                    new InPlaceServiceChain(client, next, arguments.length()).serve(next, function);
                } finally {
                    next.forEach(PdConnection::close);
                }
            }
        }
    }

    private static List<PdConnection> connect(Placement placement) throws IOException {
        List<PdConnection> connections = new ArrayList<>();
        for (InetSocketAddress each : NextProcesses.read()) {
            connections.add(placement.connect(each, 0));
        }
        return connections;
    }

    private void serve(List<PdConnection> connections, ChainFunction function)
            throws IOException, GeneralSecurityException, InterruptedException, ExecutionException {
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            List<Future<?>> back = new ArrayList<>();
            for (PdConnection each : connections) {
                back.add(threads.submit(passBack(each)));
            }
            ReceivedRecords requests = new ReceivedRecords(client, length);
            for (int count = requests.await(MOST); count > 0; count = requests.await(MOST)) {
                for (int from = 0; from < count; from += length) {
                    int chosen = function.handle(requests.record(from));
                    if (next.isEmpty()) {
                        toClient.send(requests.memory(), requests.offset() + from, ChainFunction.ANSWER);
                    } else {
                        next.get(Math.floorMod(chosen, next.size()))
                                .send(requests.memory(), requests.offset() + from, length);
                    }
                }
                requests.release();
            }
            for (PdConnection each : connections) {
                each.shutdownOutput();
            }
            for (Future<?> each : back) {
                each.get();
            }
        }
    }

    /** Passes the answers of a next process on. */
    private Callable<Void> passBack(PdConnection from) {
        return () -> {
            ReceivedRecords answers = new ReceivedRecords(from, ChainFunction.ANSWER);
            for (int count = answers.await(MOST); count > 0; count = answers.await(MOST)) {
                toClient.send(answers.memory(), answers.offset(), count);
                answers.release();
            }
            return null;
        };
    }

    /** The client's connection. */
    private static final class Chain implements ChainClient.Connection {
        private final PdConnection connection;
        private final String text;
        private final int length;
        private final PdBuffer block = new PdBuffer();
        private final ReceivedRecords received;

        private Chain(PdConnection connection, String text, int length) {
            this.connection = connection;
            this.text = text;
            this.length = length;
            this.received = new ReceivedRecords(connection, ChainFunction.ANSWER);
        }

        @Override
        public void send(ChainFunction.Source source, int number) throws IOException, GeneralSecurityException {
            connection.malloc(length, block, PipeDevice.FOREVER);
            source.write(number, block.asByteBuffer());
            connection.send(block, length, PipeDevice.FOREVER);
            connection.free(block);
        }

        @Override
        public void receive(ChainAnswers answers) throws IOException {
            int count = received.await(MOST);
            if (count == 0) {
                throw new EOFException("the chain has ended");
            }
            for (int from = 0; from < count; from += ChainFunction.ANSWER) {
                answers.add(received.record(from));
            }
            received.release();
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
