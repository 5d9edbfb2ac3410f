// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.nio.PipeDeviceSelectorProvider;
import io.pipedevice.nio.stat.JvmStat;
import io.pipedevice.peer.rendezvous.StrangeClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A program sees a peer that breaks the protocol as a peer that resets the connection; the counters tell both apart.
 */
@Timeout(60)
class StrangePeerChannelTest {
    private static final SelectorProvider PROVIDER = new PipeDeviceSelectorProvider();

    private final long violations = violations();
    private ServerSocketChannel server;
    private SocketChannel channel;
    private StrangeClient client;

    @BeforeEach
    void connect() throws IOException {
        server = PROVIDER.openServerSocketChannel();
        server.bind(new InetSocketAddress(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), 0));
        client = StrangeClient.connect(server.socket().getLocalPort());
        channel = server.accept();
        assertTrue(channel.toString().endsWith(" rings]"), channel.toString());
    }

    @AfterEach
    void close() throws IOException {
        channel.close();
        client.close();
        server.close();
    }

    private static long violations() {
        return JvmStat.of((int) ProcessHandle.current().pid()).violated();
    }

    private void assertReset() {
        for (int i = 0; i < 2; i++) {
            SocketException e = assertThrows(SocketException.class, () -> channel.read(ByteBuffer.allocate(1)));
            assertEquals("Connection reset", e.getMessage());
        }
        IOException e = assertThrows(IOException.class, () -> channel.write(ByteBuffer.allocate(1)));
        assertEquals("Broken pipe", e.getMessage());
        assertEquals(violations + 1, violations());
    }

    @Test
    void aPeerThatBreaksTheProtocolResetsTheConnection() throws IOException {
        client.writeTooMuch();
        assertReset();
    }

    @Test
    void aLinkThatIsGivenUpResetsTheConnection() throws IOException {
        client.sendNonsense();
        channel.write(ByteBuffer.allocate(1));
        assertReset();
    }

    @Test
    void aSelectorReportsIt() throws IOException {
        channel.configureBlocking(false);
        try (Selector selector = PROVIDER.openSelector()) {
            SelectionKey key = channel.register(selector, SelectionKey.OP_READ);
            assertEquals(0, selector.selectNow());
            client.writeTooMuch();
            assertEquals(1, selector.select());
            assertTrue(key.isReadable());
            assertReset();
        }
    }

    @Test
    void nothingIsAvailableOfIt() throws IOException {
        client.writeTooMuch();
        assertEquals(0, channel.socket().getInputStream().available());
        assertInstanceOf(
                SocketException.class,
                assertThrows(
                        IOException.class,
                        () -> channel.socket().getInputStream().read()));
    }
}
