// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;
import org.apache.pulsar.client.api.PulsarClientException;

/** A client of a Pulsar at a {@code port}, with a producer and a consumer of the same topic. */
final class PulsarTopic implements AutoCloseable {
    private final Checks checks;
    private final PulsarClient client;
    private final Producer<byte[]> producer;
    private final Consumer<byte[]> consumer;

    PulsarTopic(Arguments arguments, String topic, Checks checks) throws PulsarClientException {
        this.checks = checks;
        client = client(arguments);
        consumer = client.newConsumer().topic(topic).subscriptionName("trips").subscribe();
        producer = client.newProducer().topic(topic).enableBatching(false).create();
    }

    static PulsarClient client(Arguments arguments) throws PulsarClientException {
        return PulsarClient.builder()
                .serviceUrl("pulsar://" + arguments.host() + ":" + arguments.text("port"))
                .build();
    }

    void trip(long seed, int length) throws PulsarClientException {
        byte[] sent = Noise.bytes(seed, length);
        producer.send(sent);
        Message<byte[]> back = consumer.receive();
        checks.cameBack(sent, back.getData());
        consumer.acknowledge(back);
    }

    @Override
    public void close() throws PulsarClientException {
        client.close();
    }
}
