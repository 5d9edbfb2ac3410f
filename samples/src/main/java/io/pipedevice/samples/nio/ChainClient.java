// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.nio;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * The client of a chain: sends requests, and receives their answers at the same time. It prints {@code completed
 * SECONDS} and its connection each time that it has all answers.
 */
public final class ChainClient {
    /** A connection to the first function of a chain, which one thread sends to and another one receives from. */
    public interface Connection {
        /**
         * Sends the request of a number.
         *
         * @param source which makes it
         * @param number of it
         * @throws IOException if the other end has ended
         * @throws GeneralSecurityException if it cannot be encrypted
         */
        void send(ChainFunction.Source source, int number) throws IOException, GeneralSecurityException;

        /**
         * Waits for some answers, at least one.
         *
         * @param answers to which they are added
         * @throws IOException if the other end has ended, or an answer is wrong
         */
        void receive(ChainAnswers answers) throws IOException;
    }

    private static final long STEP_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private final ChainArguments arguments;
    private final Connection chain;
    private final ChainFunction.Source source;

    /**
     * Creates a client.
     *
     * @param arguments of it
     * @param chain its connection
     * @throws GeneralSecurityException if there is no cipher
     */
    public ChainClient(ChainArguments arguments, Connection chain) throws GeneralSecurityException {
        this.arguments = arguments;
        this.chain = chain;
        this.source = new ChainFunction.Source(arguments.length());
    }

    /**
     * Sends all requests, as often as there is time, at least once.
     *
     * @throws IOException if the chain has ended
     * @throws GeneralSecurityException if a request cannot be encrypted
     * @throws InterruptedException if this thread is interrupted
     * @throws ExecutionException if an answer is missing or wrong
     */
    @SuppressWarnings("SystemOut")
    public void run() throws IOException, GeneralSecurityException, InterruptedException, ExecutionException {
        try (ExecutorService receiver = Executors.newSingleThreadExecutor()) {
            long begin = System.nanoTime();
            do {
                System.out.println("completed " + seconds(receiver) + " " + chain);
            } while ((System.nanoTime() - begin) / 1e9 < arguments.seconds());
        }
    }

    private double seconds(ExecutorService receiver)
            throws IOException, GeneralSecurityException, InterruptedException, ExecutionException {
        ChainAnswers answers = new ChainAnswers(arguments.requests());
        long begin = System.nanoTime();
        Future<?> received = receiver.submit(() -> {
            while (!answers.isComplete()) {
                chain.receive(answers);
            }
            return null;
        });
        for (int number = 0; number < arguments.requests(); number++) {
            awaitTurn(number, begin);
            chain.send(source, number);
        }
        received.get();
        return (System.nanoTime() - begin) / 1e9;
    }

    /** Sleeps until a request is due. A client with a rate sends what is due once in a millisecond. */
    private void awaitTurn(int number, long begin) {
        while (arguments.perSecond() > 0 && (System.nanoTime() - begin) / 1e9 * arguments.perSecond() < number) {
            LockSupport.parkNanos(STEP_NANOS);
        }
    }
}
