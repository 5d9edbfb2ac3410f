// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.management.JMX;
import javax.management.MBeanServerConnection;
import javax.management.Notification;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Manages another JVM through its management agent, whose {@code port} it takes. */
final class JmxClient {
    private static final int CALLS = 200;
    private static final int MAX_LENGTH = 1 << 20;
    private static final double STEEPNESS = 8;
    private static final int NOTIFICATIONS = 500;
    private static final int CONNECTORS = 20;

    private final JMXServiceURL url;
    private final Checks checks;

    private JmxClient(Arguments arguments, Checks checks) throws Exception {
        url = new JMXServiceURL(
                "service:jmx:rmi:///jndi/rmi://" + arguments.host() + ":" + arguments.number("port") + "/jmxrmi");
        this.checks = checks;
    }

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        Checks checks = new Checks(arguments);
        JmxClient client = new JmxClient(arguments, checks);
        try (JMXConnector connector = client.connect()) {
            MBeanServerConnection server = connector.getMBeanServerConnection();
            checks.run("operations", () -> client.operations(server));
            checks.run("the JVM's own beans", () -> platform(server));
            checks.run("notifications", () -> notifications(server));
            checks.run("many connectors", client::many);
        }
        checks.end();
    }

    @SuppressWarnings("BanJNDI") // the other JVM is the test's own
    private JMXConnector connect() throws Exception {
        return JMXConnectorFactory.connect(url);
    }

    private static JmxNoise noise(MBeanServerConnection server) throws Exception {
        return JMX.newMXBeanProxy(server, JmxSource.name(), JmxNoise.class, true);
    }

    private void operations(MBeanServerConnection server) throws Exception {
        JmxNoise noise = noise(server);
        for (int i = 0; i <= CALLS; i++) {
            // Most are small, and the last is the largest.
            echo(noise, i, (int) (MAX_LENGTH * Math.pow((double) i / CALLS, STEEPNESS)));
        }
    }

    private void echo(JmxNoise noise, int seed, int length) {
        byte[] message = Noise.bytes(seed, length);
        if (!Arrays.equals(message, noise.echo(message))) {
            throw new AssertionError("a message of " + length + " bytes came back changed");
        }
        checks.sent(length);
        checks.received(length);
    }

    private static void platform(MBeanServerConnection server) throws Exception {
        ThreadMXBean threads = ManagementFactory.newPlatformMXBeanProxy(
                server, ManagementFactory.THREAD_MXBEAN_NAME, ThreadMXBean.class);
        Checks.same(
                true,
                Arrays.stream(threads.dumpAllThreads(true, true))
                        .map(ThreadInfo::getThreadName)
                        .anyMatch("main"::equals));
    }

    private static void notifications(MBeanServerConnection server) throws Exception {
        BlockingQueue<Notification> received = new LinkedBlockingQueue<>();
        server.addNotificationListener(
                JmxSource.name(), (notification, handback) -> received.add(notification), null, null);
        noise(server).sendNotifications(NOTIFICATIONS);
        for (int i = 1; i <= NOTIFICATIONS; i++) {
            Notification one = received.take();
            Checks.same((long) i, one.getSequenceNumber());
            Checks.same(Noise.digest(Noise.bytes(i, i)), one.getMessage());
        }
    }

    private void many() throws Exception {
        List<JMXConnector> connectors = new ArrayList<>();
        for (int i = 0; i < CONNECTORS; i++) {
            connectors.add(connect());
        }
        for (JMXConnector one : connectors) {
            echo(noise(one.getMBeanServerConnection()), 1, CONNECTORS);
        }
        for (JMXConnector one : connectors) {
            one.close();
        }
    }
}
