// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.BitSet;
import java.util.Map;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.common.TopicPartition;

/**
 * Runs a {@link KafkaSource} and consumes, without an end, while brokers come and go. For each input line it waits
 * until some more records have arrived, and reports that. The line {@code stop} ends it, and then all records must have
 * arrived, each once.
 */
final class KafkaSteady {
    private static final int MAX_LENGTH = 2000;
    private static final int LENGTHS = 100;
    private static final int MORE = 2000;
    private static final Duration POLL = Duration.ofMillis(200);

    private final KafkaEnds ends;
    private final Checks checks;
    private final KafkaRecords records;
    private final KafkaSource source;
    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    /** The records that arrived; belongs to the consumer. */
    private final BitSet seen = new BitSet();

    private final AtomicInteger consumed = new AtomicInteger();

    /** Consumed records that are not reported yet; after a failure no thread waits for them. */
    private final Semaphore unreported = new Semaphore(0);

    private volatile boolean stopped;

    /** Set when other threads may query the source. */
    private volatile boolean allProduced;

    private KafkaSteady(Arguments arguments, Checks checks) {
        ends = new KafkaEnds(arguments);
        records = new KafkaRecords(arguments.text("name"), MAX_LENGTH, LENGTHS);
        source = new KafkaSource(ends, records, arguments, checks);
        this.checks = checks;
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        new KafkaSteady(arguments, checks).run();
        checks.end();
    }

    private interface Work {
        void run() throws Exception;
    }

    private void run() throws Exception {
        ends.makeTopic(records.topic());
        Thread producer = start("producer", () -> {
            source.run(() -> stopped || failure.get() != null, this::failed);
            allProduced = true;
        });
        Thread consumer = start("consumer", this::consume);
        Console.ready();
        BufferedReader lines = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null && !line.equals("stop"); line = lines.readLine()) {
            checks.run(line, this::awaitMore);
            System.out.println("PROGRESS " + consumed);
        }
        stopped = true;
        checks.run("all came, and each once", () -> {
            producer.join();
            consumer.join();
            check();
            Checks.same(source.produced(), seen);
        });
    }

    private void awaitMore() throws InterruptedException {
        unreported.drainPermits();
        check();
        unreported.acquire(MORE);
        check();
    }

    private void check() {
        Throwable why = failure.get();
        if (why != null) {
            throw new AssertionError(why);
        }
    }

    private Thread start(String name, Work work) {
        return Thread.ofPlatform().daemon().name(name).start(() -> {
            try {
                work.run();
            } catch (Throwable e) {
                // Even an error of the JVM: a thread must not end silently.
                failed(e);
            }
        });
    }

    private void failed(Throwable why) {
        failure.compareAndSet(null, why);
        unreported.release(MORE);
    }

    private void consume() {
        try (KafkaConsumer<byte[], byte[]> consumer = ends.lonelyConsumer(records.topic())) {
            while (failure.get() == null
                    && !(allProduced && consumed.get() >= source.produced().cardinality())) {
                poll(consumer);
            }
            if (failure.get() == null) {
                readOn(consumer);
            }
        }
    }

    /** Reads to the end, which is final now: a record that was sent twice may be the last one. */
    private void readOn(KafkaConsumer<byte[], byte[]> consumer) {
        Map<TopicPartition, Long> last = consumer.endOffsets(consumer.assignment());
        while (last.entrySet().stream().anyMatch(end -> consumer.position(end.getKey()) < end.getValue())) {
            poll(consumer);
        }
        if (!source.hasTransactions()) {
            Checks.same(
                    (long) source.produced().cardinality(),
                    last.values().stream().mapToLong(Long::longValue).sum());
        }
        poll(consumer);
        Checks.same(source.produced().cardinality(), consumed.get());
    }

    private void poll(KafkaConsumer<byte[], byte[]> consumer) {
        for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
            int number = (int) records.numberOf(record);
            if (seen.get(number)) {
                throw new AssertionError("record " + number + " was doubled");
            }
            seen.set(number);
            consumed.incrementAndGet();
            unreported.release();
            checks.received(record.serializedValueSize());
        }
    }
}
