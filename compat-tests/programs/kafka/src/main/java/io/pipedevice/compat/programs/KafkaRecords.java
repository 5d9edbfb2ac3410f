// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;

/** Records by number: the key holds the number, which determines the value. Immutable. */
final class KafkaRecords {
    private final String topic;
    private final byte[] noise;
    private final int maxLength;
    private final int step;

    /** Records of about {@code lengths} lengths, up to {@code maxLength}. */
    KafkaRecords(String topic, int maxLength, int lengths) {
        this.topic = topic;
        this.maxLength = maxLength;
        this.step = maxLength / lengths + 1;
        this.noise = new byte[2 * maxLength];
        Noise source = new Noise(maxLength, noise.length);
        int filled = 0;
        while (filled < noise.length) {
            filled += source.read(noise, filled, noise.length - filled);
        }
    }

    String topic() {
        return topic;
    }

    ProducerRecord<byte[], byte[]> of(long number) {
        return new ProducerRecord<>(
                topic, ByteBuffer.allocate(Long.BYTES).putLong(number).array(), value(number));
    }

    /** A value of any of the lengths; no two consecutive values are equal. */
    private byte[] value(long number) {
        int from = (int) (number * 31 % maxLength);
        return Arrays.copyOfRange(noise, from, from + 1 + (int) (number * step % maxLength));
    }

    /** Checks a record against its number. */
    long numberOf(ConsumerRecord<byte[], byte[]> received) {
        long number = ByteBuffer.wrap(received.key()).getLong();
        if (!Arrays.equals(value(number), received.value())) {
            throw new AssertionError("record " + number + " came changed");
        }
        return number;
    }
}
