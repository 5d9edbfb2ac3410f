// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.Notification;
import javax.management.NotificationBroadcasterSupport;
import javax.management.ObjectName;

/** An MBean in a JVM that the JDK's management agent opens to other processes. Takes no arguments. */
final class JmxSource extends NotificationBroadcasterSupport implements JmxNoise {
    private JmxSource() {}

    public static void main(String[] args) throws IOException, JMException {
        ManagementFactory.getPlatformMBeanServer().registerMBean(new JmxSource(), name());
        Console.ready();
        Console.awaitEnd();
        System.exit(0);
    }

    static ObjectName name() throws JMException {
        return new ObjectName("io.pipedevice.compat:type=JmxNoise");
    }

    @Override
    public byte[] echo(byte[] message) {
        return message;
    }

    @Override
    public void sendNotifications(int count) {
        for (int i = 1; i <= count; i++) {
            sendNotification(new Notification("noise", this, i, Noise.digest(Noise.bytes(i, i))));
        }
    }
}
