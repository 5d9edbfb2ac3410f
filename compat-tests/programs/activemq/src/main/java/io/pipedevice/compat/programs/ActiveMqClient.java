// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import jakarta.jms.BytesMessage;
import jakarta.jms.Connection;
import jakarta.jms.DeliveryMode;
import jakarta.jms.Destination;
import jakarta.jms.JMSException;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import jakarta.jms.TemporaryQueue;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.activemq.ActiveMQConnectionFactory;

/**
 * Sends messages through the broker at a {@code url} and receives them again, about the {@code size} that it is given;
 * with {@code measure} it only measures.
 */
final class ActiveMqClient {
    private static final int MESSAGES = 1000;
    private static final int LARGEST = 8 << 20;
    private static final int SUBSCRIBERS = 10;
    private static final int CONNECTIONS = 100;
    private static final int MEASURED_LENGTH = 1000;

    private final ActiveMQConnectionFactory factory;
    private final long size;
    private final Checks checks;
    private final Connection connection;

    private ActiveMqClient(Arguments arguments, Checks checks) throws JMSException {
        factory = new ActiveMQConnectionFactory(arguments.text("url"));
        size = arguments.size("size");
        this.checks = checks;
        connection = open();
    }

    private Connection open() throws JMSException {
        Connection opened = factory.createConnection();
        opened.start();
        return opened;
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        ActiveMqClient client = new ActiveMqClient(arguments, checks);
        if (arguments.has("measure")) {
            checks.run("measure", client::measure);
        } else {
            checks.run("messages of all sizes", client::sizes);
            checks.run("large messages", client::large);
            checks.run("transactions", client::transactions);
            checks.run("a topic", client::topic);
            checks.run("requests on many connections", client::requests);
        }
        client.connection.close();
        checks.end();
    }

    /** A session of one thread, with a producer and a consumer of the same destination. */
    private static final class Channel implements AutoCloseable {
        private final Session session;
        private final MessageProducer producer;
        private final MessageConsumer consumer;

        Channel(Connection connection, boolean transacted, String queue) throws JMSException {
            session = connection.createSession(
                    transacted, transacted ? Session.SESSION_TRANSACTED : Session.AUTO_ACKNOWLEDGE);
            producer = session.createProducer(session.createQueue(queue));
            consumer = session.createConsumer(session.createQueue(queue));
        }

        @Override
        public void close() throws JMSException {
            session.close();
        }
    }

    private void send(Session session, MessageProducer producer, long seed, int length) throws JMSException {
        BytesMessage message = session.createBytesMessage();
        message.writeBytes(Noise.bytes(seed, length));
        producer.send(message);
        checks.sent(length);
    }

    private void receive(MessageConsumer consumer, long seed, int length) throws JMSException {
        byte[] bytes = bytes((BytesMessage) consumer.receive());
        if (!Arrays.equals(Noise.bytes(seed, length), bytes)) {
            throw new AssertionError("message " + seed + " of " + length + " bytes came changed");
        }
        checks.received(length);
    }

    private static byte[] bytes(BytesMessage message) throws JMSException {
        byte[] bytes = new byte[(int) message.getBodyLength()];
        message.readBytes(bytes);
        return bytes;
    }

    /** Messages that the broker does not store: it stores each of the others before it answers. */
    private void sizes() throws JMSException {
        try (Channel channel = new Channel(connection, false, "sizes")) {
            channel.producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            for (int i = 0; i < MESSAGES; i++) {
                send(channel.session, channel.producer, i, i * i / 10);
                receive(channel.consumer, i, i * i / 10);
            }
        }
    }

    private void large() throws JMSException {
        try (Channel channel = new Channel(connection, false, "large")) {
            for (int i = 0; i < size / LARGEST; i++) {
                send(channel.session, channel.producer, i, LARGEST - i);
                receive(channel.consumer, i, LARGEST - i);
            }
        }
    }

    /** What is rolled back was never sent, and is received again. */
    private void transactions() throws JMSException {
        try (Channel channel = new Channel(connection, true, "transactions")) {
            send(channel.session, channel.producer, 0, 1);
            channel.session.rollback();
            for (int i = 1; i <= MESSAGES; i++) {
                send(channel.session, channel.producer, i, i);
            }
            channel.session.commit();
            receive(channel.consumer, 1, 1);
            channel.session.rollback();
            for (int i = 1; i <= MESSAGES; i++) {
                receive(channel.consumer, i, i);
            }
            channel.session.commit();
        }
    }

    /** All subscribers get all messages, in order. */
    private void topic() throws JMSException {
        try (Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
            Destination topic = session.createTopic("topic");
            List<MessageConsumer> subscribers = new ArrayList<>();
            for (int i = 0; i < SUBSCRIBERS; i++) {
                subscribers.add(session.createConsumer(topic));
            }
            MessageProducer producer = session.createProducer(topic);
            producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            for (int i = 0; i < MESSAGES; i++) {
                send(session, producer, i, i);
            }
            for (MessageConsumer subscriber : subscribers) {
                for (int i = 0; i < MESSAGES; i++) {
                    receive(subscriber, i, i);
                }
            }
        }
    }

    /** Each connection waits for a request at a queue of its own. */
    private void requests() throws JMSException {
        List<Connection> servers = new ArrayList<>();
        try (Session session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE)) {
            List<MessageProducer> requests = new ArrayList<>();
            for (int i = 0; i < CONNECTIONS; i++) {
                Connection server = open();
                servers.add(server);
                answer(server, "requests" + i);
                requests.add(session.createProducer(session.createQueue("requests" + i)));
            }
            TemporaryQueue answers = session.createTemporaryQueue();
            MessageConsumer consumer = session.createConsumer(answers);
            for (int i = 0; i < CONNECTIONS; i++) {
                BytesMessage request = session.createBytesMessage();
                request.setJMSReplyTo(answers);
                request.writeBytes(Noise.bytes(i, i));
                requests.get(i).send(request);
                checks.sent(i);
                receive(consumer, i, i);
            }
        }
        for (Connection server : servers) {
            server.close();
        }
    }

    private static void answer(Connection server, String queue) throws JMSException {
        Session session = server.createSession(false, Session.AUTO_ACKNOWLEDGE);
        MessageProducer producer = session.createProducer(null);
        session.createConsumer(session.createQueue(queue)).setMessageListener(request -> {
            try {
                BytesMessage answer = session.createBytesMessage();
                answer.writeBytes(bytes((BytesMessage) request));
                producer.send(request.getJMSReplyTo(), answer);
            } catch (JMSException e) {
                throw new AssertionError(e);
            }
        });
    }

    /** A message goes to the broker and back, one after the other. */
    private void measure() throws Exception {
        try (Channel channel = new Channel(connection, false, "measured")) {
            channel.producer.setDeliveryMode(DeliveryMode.NON_PERSISTENT);
            Checks.Check trip = () -> {
                send(channel.session, channel.producer, Noise.REPEATED, MEASURED_LENGTH);
                receive(channel.consumer, Noise.REPEATED, MEASURED_LENGTH);
            };
            Figures.warmUp(trip);
            Figures figures = new Figures();
            figures.printOperations(figures.repeatOften(trip));
            figures.printDelay();
        }
    }
}
