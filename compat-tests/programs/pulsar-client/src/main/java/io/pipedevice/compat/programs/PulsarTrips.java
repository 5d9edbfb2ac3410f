// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.util.ArrayList;
import java.util.List;
import org.apache.pulsar.client.api.PulsarClientException;

/**
 * Sends messages through the Pulsar at a {@code port} and receives them again, about the {@code size} that it is given;
 * with {@code measure} it only measures.
 */
final class PulsarTrips {
    private static final int MESSAGES = 1000;
    private static final int LARGEST = 4 << 20;
    private static final int CLIENTS = 20;
    private static final int MEASURED_LENGTH = 1000;

    private final Arguments arguments;
    private final Checks checks;

    private PulsarTrips(Arguments arguments, Checks checks) {
        this.arguments = arguments;
        this.checks = checks;
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        PulsarTrips trips = new PulsarTrips(arguments, checks);
        if (arguments.has("measure")) {
            checks.run("measure", trips::measure);
        } else {
            checks.run("messages of all sizes", trips::sizes);
            checks.run("large messages", trips::large);
            checks.run("many clients", trips::clients);
        }
        checks.end();
    }

    private PulsarTopic open(String name) throws PulsarClientException {
        return new PulsarTopic(arguments, name, checks);
    }

    private void sizes() throws PulsarClientException {
        try (PulsarTopic topic = open("sizes")) {
            for (int i = 0; i < MESSAGES; i++) {
                topic.trip(i, i * i / 10);
            }
        }
    }

    private void large() throws PulsarClientException {
        try (PulsarTopic topic = open("large")) {
            for (int i = 0; i < arguments.size("size") / LARGEST; i++) {
                topic.trip(i, LARGEST - i);
            }
        }
    }

    private void clients() throws PulsarClientException {
        List<PulsarTopic> topics = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            topics.add(open("topic" + i));
        }
        for (int i = 0; i < CLIENTS; i++) {
            topics.get(i).trip(i, MEASURED_LENGTH);
        }
        for (PulsarTopic each : topics) {
            each.close();
        }
    }

    private void measure() throws Exception {
        try (PulsarTopic topic = open("measured")) {
            Figures.warmUpLarge(() -> topic.trip(Noise.REPEATED, MEASURED_LENGTH));
            Figures figures = new Figures();
            figures.printOperations(figures.repeatOften(() -> topic.trip(Noise.REPEATED, MEASURED_LENGTH)));
            figures.printDelay();
        }
    }
}
