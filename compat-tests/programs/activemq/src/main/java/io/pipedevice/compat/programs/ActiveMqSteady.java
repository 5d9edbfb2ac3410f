// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import jakarta.jms.Connection;
import jakarta.jms.JMSException;
import jakarta.jms.Message;
import jakarta.jms.MessageConsumer;
import jakarta.jms.MessageProducer;
import jakarta.jms.Session;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import org.apache.activemq.ActiveMQConnectionFactory;

/**
 * Sends messages that the broker at a {@code url} stores, in several threads, and consumes them in another one, while
 * the broker ends and comes back. In the end each message that the broker acknowledged to its producer has arrived, and
 * none has arrived again that it acknowledged to the consumer, unless it was sent again.
 */
final class ActiveMqSteady {
    private static final int PRODUCERS = 4;
    private static final int LENGTH = 500;
    private static final String QUEUE = "steady";
    private static final String NUMBER = "number";
    private static final long WAIT_MS = 200;
    private static final long PAUSE_MS = 20;
    private static final ThreadLocal<Producer> PRODUCER = new ThreadLocal<>();

    private final ActiveMQConnectionFactory factory;
    private final Checks checks;

    /** What the broker has acknowledged to the PRODUCER. */
    private final Set<Long> sent = ConcurrentHashMap.newKeySet();

    /** Numbers that were perhaps sent more than once, because an acknowledgement may have been lost. */
    private final Set<Long> repeated = ConcurrentHashMap.newKeySet();

    private final Set<Long> arrived = ConcurrentHashMap.newKeySet();

    /** What the broker has acknowledged to the consumer, and so may not deliver again; belongs to the consumer. */
    private final Set<Long> acknowledged = new HashSet<>();

    private volatile boolean allSent;

    private ActiveMqSteady(Arguments arguments, Checks checks) {
        factory = new ActiveMQConnectionFactory(arguments.text("url"));
        this.checks = checks;
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        new ActiveMqSteady(arguments, checks).run();
        checks.end();
    }

    private void run() throws Exception {
        FutureTask<Void> consumer = new FutureTask<>(() -> {
            consume();
            return null;
        });
        Thread.ofPlatform().daemon().name("consumer").start(consumer);
        Rounds.run(checks, PRODUCERS, this::send);
        checks.run("all that was acknowledged has arrived", () -> {
            while (!arrived.containsAll(sent)) {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            }
        });
        allSent = true;
        consumer.get();
    }

    /** The connection of one thread. */
    private static final class Producer {
        private final Connection connection;
        private final Session session;
        private final MessageProducer producer;

        Producer(ActiveMQConnectionFactory factory) throws JMSException {
            connection = factory.createConnection();
            connection.start();
            session = connection.createSession(false, Session.AUTO_ACKNOWLEDGE);
            producer = session.createProducer(session.createQueue(QUEUE));
        }
    }

    private void send(long number) throws IOException {
        try {
            if (PRODUCER.get() == null) {
                PRODUCER.set(new Producer(factory));
            }
            Producer own = PRODUCER.get();
            Message message = own.session.createTextMessage("x".repeat(LENGTH));
            message.setLongProperty(NUMBER, number);
            own.producer.send(message);
            sent.add(number);
            checks.sent(LENGTH);
        } catch (JMSException e) {
            repeated.add(number);
            close(PRODUCER.get() == null ? null : PRODUCER.get().connection);
            PRODUCER.remove();
            throw new IOException(e);
        }
    }

    private static void close(Connection connection) {
        try {
            if (connection != null) {
                connection.close();
            }
        } catch (JMSException e) {
            // It has failed before.
            return;
        }
    }

    /** Runs until all is sent, with a new connection whenever the one before has failed. */
    private void consume() throws InterruptedException {
        while (!allSent) {
            Connection connection = null;
            try {
                connection = factory.createConnection();
                connection.start();
                consume(connection);
            } catch (JMSException e) {
                System.out.println("the consumer connects again: " + e);
                TimeUnit.MILLISECONDS.sleep(PAUSE_MS);
            } finally {
                close(connection);
            }
        }
    }

    private void consume(Connection connection) throws JMSException {
        // The library for failover may send messages again by itself.
        boolean once = !factory.getBrokerURL().startsWith("failover:");
        Session session = connection.createSession(true, Session.SESSION_TRANSACTED);
        MessageConsumer consumer = session.createConsumer(session.createQueue(QUEUE));
        while (!allSent) {
            Message message = consumer.receive(WAIT_MS);
            if (message != null) {
                long number = message.getLongProperty(NUMBER);
                if (once && acknowledged.contains(number) && !repeated.contains(number)) {
                    System.out.println("FAILED message " + number + " arrived again");
                }
                arrived.add(number);
                checks.received(LENGTH);
                session.commit();
                acknowledged.add(number);
            }
        }
    }
}
