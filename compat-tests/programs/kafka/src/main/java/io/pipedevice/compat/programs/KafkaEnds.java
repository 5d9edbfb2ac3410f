// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.time.Duration;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.logging.Level;
import java.util.logging.Logger;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;

/** Creates topics, producers and consumers of one cluster: takes {@code bootstrap} and {@code replicas}. */
final class KafkaEnds {
    /** The largest size of a request, and of a batch of a topic. */
    static final int MAX_REQUEST = 16 << 20;

    private static final Logger LOGGER = Logger.getLogger("org.apache.kafka");

    private static final int PARTITIONS = 4;
    private static final Duration POLL = Duration.ofSeconds(1);

    private final String bootstrap;
    private final short replicas;

    KafkaEnds(Arguments arguments) {
        // It warns about everything that it retries.
        LOGGER.setLevel(Level.SEVERE);
        bootstrap = arguments.text("bootstrap");
        replicas = Short.parseShort(arguments.text("replicas"));
    }

    /**
     * Creates a topic, and waits until all its partitions have a leader that answers. A leader that does not know the
     * topic yet refuses the first batch and may accept the second, after which it considers the first to be out of
     * order. A consumer asks such a leader again, an administrator's client does not.
     */
    void makeTopic(String name) throws Exception {
        try (Admin admin = Admin.create(Map.of("bootstrap.servers", bootstrap))) {
            admin.createTopics(Set.of(new NewTopic(name, PARTITIONS, replicas)
                            .configs(Map.of("max.message.bytes", Integer.toString(MAX_REQUEST)))))
                    .all()
                    .get();
        } catch (ExecutionException e) {
            // The client repeats a request whose answer is late; no other topic has the name.
            if (!(e.getCause() instanceof TopicExistsException)) {
                throw e;
            }
        }
        try (KafkaConsumer<byte[], byte[]> consumer = lonelyConsumer(name)) {
            Checks.same(PARTITIONS, consumer.endOffsets(consumer.assignment()).size());
        }
    }

    /** Every record is acknowledged by all replicas, in large batches. */
    KafkaProducer<byte[], byte[]> producer(Map<String, Object> more) {
        Map<String, Object> settings = new HashMap<>(Map.of(
                "bootstrap.servers",
                bootstrap,
                "acks",
                "all",
                "batch.size",
                1 << 20,
                "linger.ms",
                5,
                "buffer.memory",
                4 * MAX_REQUEST,
                "max.request.size",
                MAX_REQUEST));
        settings.putAll(more);
        return new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer());
    }

    /** A consumer of a group, which assigns the partitions. */
    KafkaConsumer<byte[], byte[]> consumer(String topic) {
        KafkaConsumer<byte[], byte[]> consumer = consumerOfGroup("readers of " + topic);
        consumer.subscribe(List.of(topic));
        return consumer;
    }

    /**
     * A consumer that reads all of a topic, and never starts again, as a consumer of a group may when the group is
     * rebalanced.
     */
    KafkaConsumer<byte[], byte[]> lonelyConsumer(String topic) {
        KafkaConsumer<byte[], byte[]> consumer = consumerOfGroup("reader of " + topic);
        consumer.assign(partitions(topic).toList());
        return consumer;
    }

    private static Stream<TopicPartition> partitions(String topic) {
        return IntStream.range(0, PARTITIONS).mapToObj(partition -> new TopicPartition(topic, partition));
    }

    private KafkaConsumer<byte[], byte[]> consumerOfGroup(String group) {
        return new KafkaConsumer<>(
                Map.of(
                        "bootstrap.servers",
                        bootstrap,
                        "group.id",
                        group,
                        "auto.offset.reset",
                        "earliest",
                        "enable.auto.commit",
                        false,
                        "isolation.level",
                        "read_committed",
                        "fetch.max.bytes",
                        MAX_REQUEST),
                new ByteArrayDeserializer(),
                new ByteArrayDeserializer());
    }

    /** Reads records, each of which must be wanted and arrive once. */
    static void take(KafkaConsumer<byte[], byte[]> consumer, KafkaRecords records, BitSet wanted, Checks checks) {
        while (!wanted.isEmpty()) {
            for (ConsumerRecord<byte[], byte[]> record : consumer.poll(POLL)) {
                once(records.numberOf(record), wanted);
                checks.received(record.serializedValueSize());
            }
        }
        Checks.same(0, consumer.poll(Duration.ofMillis(100)).count());
        consumer.commitSync();
    }

    private static void once(long number, BitSet wanted) {
        if (!wanted.get((int) number)) {
            throw new AssertionError("record " + number + " was doubled, or is none that was committed");
        }
        wanted.clear((int) number);
    }
}
