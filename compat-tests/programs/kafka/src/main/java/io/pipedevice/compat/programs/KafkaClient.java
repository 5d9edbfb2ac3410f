// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Produces and consumes with a cluster of Kafka: takes the arguments of {@link KafkaEnds}, a {@code name} that its
 * topics begin with, and the {@code size} of the data; with {@code measure} it only measures.
 */
final class KafkaClient {
    private static final int MAX_SMALL = 4 << 10;
    private static final int LENGTHS = 100;
    private static final int MAX_LARGE = 8 << 20;
    private static final int LARGE = 6;
    private static final int TRANSACTIONS = 20;
    private static final int RECORDS_OF_EACH = 50;
    private static final int MAX_MEASURED = 1000;

    private final KafkaEnds ends;
    private final String name;
    private final long size;
    private final Checks checks;

    /** Each measured pass has a topic of its own. */
    private int passes;

    private KafkaClient(Arguments arguments, Checks checks) {
        ends = new KafkaEnds(arguments);
        name = arguments.text("name");
        size = arguments.size("size");
        this.checks = checks;
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        KafkaClient client = new KafkaClient(arguments, checks);
        if (arguments.has("measure")) {
            checks.run("measure", client::measure);
        } else {
            checks.run("records of all sizes in large batches", client::small);
            checks.run("records of megabytes", client::large);
            checks.run("transactions", client::transactions);
        }
        checks.end();
    }

    private void small() throws Exception {
        KafkaRecords records = new KafkaRecords(name + "-small", MAX_SMALL, LENGTHS);
        pass(records, (int) (size / (MAX_SMALL / 2)));
    }

    private void large() throws Exception {
        pass(new KafkaRecords(name + "-large", MAX_LARGE, LARGE), LARGE);
    }

    /** Produces records while they are consumed. */
    private void pass(KafkaRecords records, int count) throws Exception {
        ends.makeTopic(records.topic());
        BitSet wanted = new BitSet(count);
        wanted.set(0, count);
        try (KafkaProducer<byte[], byte[]> producer = ends.producer(Map.of());
                KafkaConsumer<byte[], byte[]> consumer = ends.consumer(records.topic())) {
            List<Future<RecordMetadata>> sent = new ArrayList<>(count);
            for (int i = 0; i < count; i++) {
                sent.add(producer.send(records.of(i)));
            }
            producer.flush();
            KafkaEnds.take(consumer, records, wanted, checks);
            for (Future<RecordMetadata> one : sent) {
                checks.sent(one.get().serializedValueSize());
            }
        }
    }

    /** Every other transaction is aborted, and no record of those may be seen. */
    private void transactions() throws Exception {
        KafkaRecords records = new KafkaRecords(name + "-transactions", MAX_SMALL, LENGTHS);
        ends.makeTopic(records.topic());
        BitSet committed = new BitSet();
        try (KafkaProducer<byte[], byte[]> producer = ends.producer(Map.of("transactional.id", name));
                KafkaConsumer<byte[], byte[]> consumer = ends.consumer(records.topic())) {
            producer.initTransactions();
            for (int i = 0; i < TRANSACTIONS; i++) {
                int first = i * RECORDS_OF_EACH;
                producer.beginTransaction();
                List<Future<RecordMetadata>> sent = new ArrayList<>();
                for (int j = 0; j < RECORDS_OF_EACH; j++) {
                    sent.add(producer.send(records.of(first + j)));
                }
                producer.flush();
                for (Future<RecordMetadata> one : sent) {
                    checks.sent(one.get().serializedValueSize());
                }
                if (i % 2 == 0) {
                    producer.commitTransaction();
                    committed.set(first, first + RECORDS_OF_EACH);
                } else {
                    producer.abortTransaction();
                }
            }
            KafkaEnds.take(consumer, records, committed, checks);
        }
    }

    /** Produces and consumes in bulk, and then waits for each of some records to be acknowledged. */
    private void measure() throws Exception {
        int count = (int) (size / (MAX_MEASURED / 2)) / 4;
        Checks.Check some = () -> pass(new KafkaRecords(name + "-bulk-" + passes++, MAX_MEASURED, LENGTHS), count);
        Figures.warmUp(some);
        Figures bulk = new Figures();
        bulk.printOperations((long) bulk.repeatLong(some) * count);
        KafkaRecords records = new KafkaRecords(name + "-alone", MAX_MEASURED, LENGTHS);
        ends.makeTopic(records.topic());
        try (KafkaProducer<byte[], byte[]> producer = ends.producer(Map.of("linger.ms", 0))) {
            Checks.Check one =
                    () -> checks.sent(producer.send(records.of(1)).get().serializedValueSize());
            Figures.warmUp(one);
            Figures alone = new Figures();
            alone.repeatOften(one);
            alone.printDelay();
        }
    }
}
