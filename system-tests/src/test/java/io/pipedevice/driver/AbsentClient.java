// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import io.pipedevice.linux.Fd;
import io.pipedevice.protocol.IntroductionMessage;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.List;

/**
 * A process that has a connection introduced, and tells the driver that it is made, which is not true. Arguments: the
 * driver's directory and the server's port. Prints MADE, and keeps the connection until its input ends.
 */
public final class AbsentClient {
    private static final long PATIENCE_MS = 30_000;

    private AbsentClient() {}

    /** Starts it; it connects to a port of the loopback. */
    public static ChildJvm start(Path directory, int port) throws IOException {
        return ChildJvm.start(
                List.of(), ChildJvm.inheritedFlags(), AbsentClient.class, directory.toString(), Integer.toString(port));
    }

    public static void main(String[] arguments) throws IOException {
        InetSocketAddress to = TestDriver.loopback(Integer.parseInt(arguments[1]));
        try (Participation client = Participation.join(Path.of(arguments[0]));
                SocketChannel channel = SocketChannel.open().bind(TestDriver.loopback(0))) {
            Fd socket = TestFds.of(channel);
            InetSocketAddress local = (InetSocketAddress) channel.getLocalAddress();
            client.send(client.intend(local.getPort()));
            int intent = client.request();
            channel.connect(to);
            client.send(client.connected(intent, 1, local, to, socket));
            if (!client.await(IntroductionMessage.CONNECTED, intent, PATIENCE_MS)
                    || client.answer().status() != 0) {
                throw new IOException("not introduced: " + client.answer().text());
            }
            client.send(client.made(intent));
            System.out.println("MADE");
            System.in.read();
        }
    }
}
