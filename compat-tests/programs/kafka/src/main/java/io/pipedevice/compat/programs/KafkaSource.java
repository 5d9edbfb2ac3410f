// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.RecordMetadata;

/**
 * Produces records from number 0 on until it is told to stop: at most {@code rate} per second if that is given, and
 * with {@code transactions} in transactions, some of which it aborts. One thread.
 */
final class KafkaSource {
    private static final int UNACKNOWLEDGED = 1000;
    private static final int OF_TRANSACTION = 50;
    private static final int ABORTED = 5;

    private final KafkaEnds ends;
    private final KafkaRecords records;
    private final Checks checks;
    private final boolean transactions;
    private final long pauseNanos;
    private final BitSet produced = new BitSet();

    KafkaSource(KafkaEnds ends, KafkaRecords records, Arguments arguments, Checks checks) {
        this.ends = ends;
        this.records = records;
        this.checks = checks;
        transactions = arguments.has("transactions");
        pauseNanos = arguments.has("rate") ? TimeUnit.SECONDS.toNanos(1) / arguments.number("rate") : 0;
    }

    /** Without transactions every offset of the topic belongs to a record. */
    boolean hasTransactions() {
        return transactions;
    }

    /** The numbers of the records that must arrive. */
    BitSet produced() {
        return produced;
    }

    /** Produces until stopped. The second argument receives failures of records that were sent. */
    void run(BooleanSupplier stopped, Consumer<Throwable> failed) throws Exception {
        if (transactions) {
            transact(stopped);
        } else {
            send(stopped, failed);
        }
    }

    private void send(BooleanSupplier stopped, Consumer<Throwable> failed) throws InterruptedException {
        Semaphore room = new Semaphore(UNACKNOWLEDGED);
        try (KafkaProducer<byte[], byte[]> producer = ends.producer(Map.of("linger.ms", 0))) {
            for (int i = 0; !stopped.getAsBoolean(); i++) {
                room.acquire();
                send(producer, i, room, failed);
                produced.set(i);
                if (pauseNanos > 0) {
                    LockSupport.parkNanos(pauseNanos);
                }
            }
        }
    }

    /** Sends a record; the callback receives the result. */
    @SuppressWarnings("FutureReturnValueIgnored")
    private void send(KafkaProducer<byte[], byte[]> producer, int number, Semaphore room, Consumer<Throwable> failed) {
        producer.send(records.of(number), (metadata, exception) -> {
            room.release();
            if (exception == null) {
                checks.sent(metadata.serializedValueSize());
            } else {
                failed.accept(exception);
            }
        });
    }

    private void transact(BooleanSupplier stopped) throws Exception {
        try (KafkaProducer<byte[], byte[]> producer =
                ends.producer(Map.of("linger.ms", 0, "transactional.id", records.topic()))) {
            producer.initTransactions();
            for (int i = 0; !stopped.getAsBoolean(); i++) {
                int first = i * OF_TRANSACTION;
                producer.beginTransaction();
                List<Future<RecordMetadata>> sent = new ArrayList<>();
                for (int j = 0; j < OF_TRANSACTION; j++) {
                    sent.add(producer.send(records.of(first + j)));
                }
                if (i % ABORTED == ABORTED - 1) {
                    // Also sends the records that no consumer may see.
                    producer.flush();
                    producer.abortTransaction();
                } else {
                    producer.commitTransaction();
                    produced.set(first, first + OF_TRANSACTION);
                }
                for (Future<RecordMetadata> one : sent) {
                    checks.sent(one.get().serializedValueSize());
                }
            }
        }
    }
}
