// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import org.apache.activemq.artemis.jms.client.ActiveMQConnectionFactory;

/**
 * Sends messages through the broker at a {@code port} and receives them again, about the {@code size} that it is given;
 * with {@code measure} it only measures.
 */
final class ArtemisClient {
    private static final int MESSAGES = 1000;
    private static final int LARGEST = 8 << 20;
    private static final int CONNECTIONS = 20;
    private static final int MEASURED_LENGTH = 1000;

    private final ActiveMQConnectionFactory factory;
    private final long size;
    private final Checks checks;

    private ArtemisClient(Arguments arguments, Checks checks) {
        factory = new ActiveMQConnectionFactory("tcp://127.0.0.1:" + arguments.text("port"));
        size = arguments.size("size");
        this.checks = checks;
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        ArtemisClient client = new ArtemisClient(arguments, checks);
        if (arguments.has("measure")) {
            checks.run("measure", client::measure);
        } else {
            checks.run("messages of all sizes", client::sizes);
            checks.run("large messages", client::large);
            checks.run("a queue for each of many connections", client::connections);
        }
        checks.end(client.factory::close);
    }

    /** A connection and its session, with a producer and a consumer of the same queue. */
    private final class Trip implements AutoCloseable {
        private final Connection connection = factory.createConnection();
        private final Session session;
        private final MessageProducer producer;
        private final MessageConsumer consumer;

        Trip(String queue) throws JMSException {
            connection.start();
            session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            producer = session.createProducer(session.createQueue(queue));
            consumer = session.createConsumer(session.createQueue(queue));
        }

        void make(long seed, int length) throws JMSException {
            byte[] sent = Noise.bytes(seed, length);
            BytesMessage message = session.createBytesMessage();
            message.writeBytes(sent);
            producer.send(message);
            BytesMessage back = (BytesMessage) consumer.receive();
            byte[] received = new byte[(int) back.getBodyLength()];
            back.readBytes(received);
            checks.cameBack(sent, received);
        }

        @Override
        public void close() throws JMSException {
            connection.close();
        }
    }

    private void sizes() throws JMSException {
        try (Trip trip = new Trip("sizes")) {
            for (int i = 0; i < MESSAGES; i++) {
                trip.make(i, i * i / 10);
            }
        }
    }

    private void large() throws JMSException {
        try (Trip trip = new Trip("large")) {
            for (int i = 0; i < size / LARGEST; i++) {
                trip.make(i, LARGEST - i);
            }
        }
    }

    private void connections() throws JMSException {
        Trip[] trips = new Trip[CONNECTIONS];
        for (int i = 0; i < CONNECTIONS; i++) {
            trips[i] = new Trip("queue" + i);
        }
        for (Trip each : trips) {
            each.make(1, MEASURED_LENGTH);
        }
        for (Trip each : trips) {
            each.close();
        }
    }

    private void measure() throws Exception {
        try (Trip trip = new Trip("measured")) {
            Figures.warmUp(() -> trip.make(Noise.REPEATED, MEASURED_LENGTH));
            Figures figures = new Figures();
            figures.printOperations(figures.repeatOften(() -> trip.make(Noise.REPEATED, MEASURED_LENGTH)));
            figures.printDelay();
        }
    }
}
