// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.io.File;
import org.apache.activemq.broker.BrokerService;

/** A broker of ActiveMQ at a {@code port}, which keeps its messages in files of the directory {@code data}. */
final class ActiveMqBroker {
    /** Of the broker, which by default plans with more memory and more disk than a test has. */
    private static final long LIMIT = 64 << 20;

    private ActiveMqBroker() {}

    public static void main(String[] args) throws Exception {
        Arguments arguments = new Arguments(args);
        BrokerService broker = new BrokerService();
        broker.setDataDirectoryFile(new File(arguments.text("data")));
        broker.setUseJmx(false);
        broker.setUseShutdownHook(false);
        broker.getSystemUsage().getMemoryUsage().setLimit(LIMIT);
        broker.getSystemUsage().getStoreUsage().setLimit(LIMIT << 4);
        broker.getSystemUsage().getTempUsage().setLimit(LIMIT << 4);
        broker.addConnector("tcp://127.0.0.1:" + arguments.number("port"));
        broker.start();
        broker.waitUntilStarted();
        Console.ready();
        Console.awaitEnd();
        broker.stop();
        System.exit(0);
    }
}
