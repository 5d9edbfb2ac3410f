// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.pipedevice.driver.policy.DataPath;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.TcpConnections;
import io.pipedevice.protocol.IntroductionMessage;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.TcpStates;
import java.net.InetSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A client that may connect through the device, says that it has, and does not. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
final class UnusedTicketTest {
    private static final int NUMBER = 1;
    private static final long PATIENCE_MS = 60_000;

    @Test
    void theServerIsReleasedWhenTheClientDoesNotCome() throws Exception {
        assumeTrue(ProcessFacts.effectiveUid() == 0, "the driver needs CAP_NET_ADMIN");
        try (TestDriver driver = new TestDriver(new DriverContext().path(DataPath.DEVICE));
                RawClient device = RawClient.attach(TestDriver.endpoint(driver.directory));
                Participation server = Participation.join(driver.directory);
                ServerSocketChannel kernel = ServerSocketChannel.open().bind(TestDriver.loopback(0));
                Fd diag = TcpConnections.openSocket()) {
            InetSocketAddress address = (InetSocketAddress) kernel.getLocalAddress();
            server.send(server.listens(NUMBER, address, diag));
            RawSocket listener = device.listen(TestDriver.loopback(0), 4, RawSocket.RING);
            server.send(server.offers(NUMBER, device.cid, listener.sid));
            try (ChildJvm client = AbsentClient.start(driver.directory, address.getPort())) {
                try (SocketChannel accepted = kernel.accept()) {
                    int port = ((InetSocketAddress) accepted.getRemoteAddress()).getPort();
                    server.send(server.accepted(NUMBER, 1, port, TcpStates.fd(accepted)));
                    int question = server.request();
                    assertTrue(server.await(IntroductionMessage.ACCEPTED, question, PATIENCE_MS));
                    assertEquals(0, server.answer().status(), server.answer().text());
                    assertEquals(0, server.answer().value());
                    client.expect("MADE");
                    assertTrue(
                            server.await(IntroductionMessage.RELEASED, question, PATIENCE_MS),
                            "the server waits for the client for ever");
                }
            }
        }
    }
}
