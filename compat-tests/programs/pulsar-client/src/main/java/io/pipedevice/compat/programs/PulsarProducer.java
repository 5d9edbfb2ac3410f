// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.pulsar.client.api.MessageId;
import org.apache.pulsar.client.api.Producer;
import org.apache.pulsar.client.api.PulsarClient;

/** Sends messages to the Pulsar at a {@code port}, about the {@code size} that it is given, and waits for none. */
final class PulsarProducer {
    static final String TOPIC = "stream";

    /** Small enough for many of them in a batch. */
    static final int LENGTH = 10_000;

    private PulsarProducer() {}

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        try (PulsarClient client = PulsarTopic.client(arguments);
                Producer<byte[]> producer =
                        client.newProducer().topic(TOPIC).blockIfQueueFull(true).create()) {
            checks.run("a stream of messages", () -> {
                List<CompletableFuture<MessageId>> sent = new ArrayList<>();
                for (int i = 0; i < messages(arguments); i++) {
                    sent.add(producer.sendAsync(Noise.bytes(i, LENGTH)));
                    checks.sent(LENGTH);
                }
                producer.flush();
                sent.forEach(CompletableFuture::join);
            });
        }
        checks.end();
    }

    static int messages(Arguments arguments) {
        return (int) (arguments.size("size") / LENGTH);
    }
}
