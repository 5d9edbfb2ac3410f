// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.util.Arrays;
import org.apache.pulsar.client.api.Consumer;
import org.apache.pulsar.client.api.Message;
import org.apache.pulsar.client.api.PulsarClient;

/** Receives from the Pulsar at a {@code port} what {@link PulsarProducer} sends, all of it in its order. */
final class PulsarConsumer {
    private PulsarConsumer() {}

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        try (PulsarClient client = PulsarTopic.client(arguments);
                Consumer<byte[]> consumer = client.newConsumer()
                        .topic(PulsarProducer.TOPIC)
                        .subscriptionName("stream")
                        .subscribe()) {
            Console.ready();
            checks.run("a stream of messages", () -> {
                for (int i = 0; i < PulsarProducer.messages(arguments); i++) {
                    Message<byte[]> message = consumer.receive();
                    Checks.same(true, Arrays.equals(Noise.bytes(i, PulsarProducer.LENGTH), message.getData()));
                    checks.received(PulsarProducer.LENGTH);
                    consumer.acknowledge(message);
                }
            });
        }
        checks.end();
    }
}
