// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.client.DriverDirectory;
import io.pipedevice.driver.AbsentClient;
import io.pipedevice.driver.DriverProcess;
import io.pipedevice.jdk.Literals;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.TcpPort;
import io.pipedevice.peer.rendezvous.PeerNetwork;
import io.pipedevice.test.ChildJvm;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import sun.nio.ch.SelChImpl;

/** A client that was introduced, says that it goes on by rings, and does not. */
@Tag("broker")
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class AbsentClientTest {
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

    @TempDir
    private Path directory;

    @Test
    void aConnectionWhoseClientDoesNotComeStaysOnTheKernel() throws Exception {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "the driver needs CAP_NET_ADMIN");
        try (ChildJvm driver = DriverProcess.start(directory);
                PeerNetwork network = new PeerNetwork();
                ServerSocketChannel kernel =
                        ServerSocketChannel.open().bind(new InetSocketAddress(Literals.address("127.0.0.1"), 0))) {
            Broker broker = new Broker(DriverDirectory.at(directory)::connect, network);
            broker.join();
            InetSocketAddress address = (InetSocketAddress) kernel.getLocalAddress();
            try (BrokeredListener<SocketChannel> listener = broker.listen(address, null, 8, AbsentClientTest::close);
                    ChildJvm client = AbsentClient.start(directory, address.getPort())) {
                SocketChannel held = kernel.accept();
                int port = ((InetSocketAddress) held.getRemoteAddress()).getPort();
                assertTrue(listener.hold(held, socket(held), port));
                client.expect("MADE");
                client.kill();
                BrokeredListener.Accepted<SocketChannel> accepted = accept(listener);
                assertNull(accepted.rings());
                assertEquals(held, accepted.kernel());
                held.close();
            }
            assertTrue(driver.isAlive());
        }
    }

    private static BrokeredListener.Accepted<SocketChannel> accept(BrokeredListener<SocketChannel> by)
            throws IOException, InterruptedException {
        long until = System.nanoTime() + PATIENCE_NS;
        BrokeredListener.Accepted<SocketChannel> accepted = by.accept();
        while (accepted == null) {
            assertTrue(System.nanoTime() < until, "the connection is held for ever");
            TimeUnit.MILLISECONDS.sleep(5);
            accepted = by.accept();
        }
        return accepted;
    }

    private static Fd socket(SocketChannel channel) throws IOException {
        return TcpPort.duplicate(((SelChImpl) channel).getFDVal(), (InetSocketAddress) channel.getLocalAddress());
    }

    private static void close(SocketChannel channel) {
        try {
            channel.close();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
