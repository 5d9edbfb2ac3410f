// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.jmh;

import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandConsumer;
import io.pipedevice.queue.CommandProducer;
import io.pipedevice.queue.CommandQueueDescriptor;
import io.pipedevice.queue.CommandType;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Control;

/**
 * Commands per second through a submission queue of the default depth, within a thread and between two. Aim: at least
 * 30 million. Of the two threads, only the consumer's figure matters.
 */
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class QueueBenchmark {
    private static final int BATCH = 32;
    private static final int DEPTH = CommandQueueDescriptor.DEFAULT_DEPTH;

    /** Creates the benchmark; JMH does. */
    public QueueBenchmark() {}

    /** A queue and both its ends. */
    @State(Scope.Group)
    public static class Queue {
        private CommandProducer producer;
        private CommandConsumer consumer;

        /** Creates the state; JMH does. */
        public Queue() {}

        /** Creates an empty queue. */
        @Setup
        public void open() {
            MemorySegment memory = Arena.ofAuto().allocate(CommandQueueDescriptor.requiredLength(DEPTH), 4096);
            producer = new CommandProducer(memory, DEPTH, BATCH);
            consumer = new CommandConsumer(memory, DEPTH, BATCH);
        }
    }

    /** A thread's own command. */
    @State(Scope.Thread)
    public static class Entry {
        private final Command command = new Command();
        private int number;

        /** Creates the state; JMH does. */
        public Entry() {}

        private Command next() {
            int i = number++;
            return command.set(CommandType.SEND, i, ~i, 4096, 1, 2, 3, i, 0);
        }
    }

    /**
     * Puts a batch in and takes it out, in one thread.
     *
     * @param queue the queue
     * @param entry the command that is put in and taken out
     * @return the sum of the source addresses
     */
    @Benchmark
    @Group("oneThread")
    @OperationsPerInvocation(BATCH)
    public long oneThread(Queue queue, Entry entry) {
        for (int i = 0; i < BATCH; i++) {
            queue.producer.offer(entry.next());
        }
        long sum = 0;
        while (queue.consumer.poll(entry.command)) {
            sum += entry.command.source();
        }
        return sum;
    }

    /**
     * Puts a batch in.
     *
     * @param queue the queue
     * @param in the command that is put in
     * @param control tells when to stop waiting for room
     */
    @Benchmark
    @Group("twoThreads")
    @OperationsPerInvocation(BATCH)
    public void produce(Queue queue, Entry in, Control control) {
        for (int i = 0; i < BATCH; i++) {
            Command next = in.next();
            while (!queue.producer.offer(next) && !control.stopMeasurement) {
                Thread.onSpinWait();
            }
        }
    }

    /**
     * Takes a batch out.
     *
     * @param queue the queue
     * @param out the command that is taken out
     * @param control tells when to stop waiting for a command
     * @return the sum of the source addresses
     */
    @Benchmark
    @Group("twoThreads")
    @OperationsPerInvocation(BATCH)
    public long consume(Queue queue, Entry out, Control control) {
        long sum = 0;
        for (int i = 0; i < BATCH; i++) {
            while (!queue.consumer.poll(out.command) && !control.stopMeasurement) {
                Thread.onSpinWait();
            }
            sum += out.command.source();
        }
        return sum;
    }
}
