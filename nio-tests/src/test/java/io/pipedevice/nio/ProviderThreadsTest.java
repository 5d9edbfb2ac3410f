// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.pipedevice.test.Together;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Several threads open channels and selectors of one provider. */
@Timeout(60)
class ProviderThreadsTest {
    private static final int ROUNDS = 200;

    @Test
    void channelsAndSelectorsOfSeveralThreadsAreTheirOwn() throws Exception {
        SelectorProvider provider = new PipeDeviceSelectorProvider();
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        Together.run(thread -> {
            for (int round = 0; round < ROUNDS; round++) {
                try (ServerSocketChannel server =
                                provider.openServerSocketChannel().bind(any);
                        SocketChannel client = provider.openSocketChannel();
                        Selector selector = provider.openSelector()) {
                    client.connect(server.getLocalAddress());
                    client.write(ByteBuffer.wrap(new byte[] {(byte) thread}));
                    try (SocketChannel accepted = server.accept()) {
                        accepted.configureBlocking(false).register(selector, SelectionKey.OP_READ);
                        assertEquals(1, selector.select());
                        ByteBuffer arrived = ByteBuffer.allocate(2);
                        assertEquals(1, accepted.read(arrived));
                        assertEquals(thread, arrived.get(0));
                        assertEquals(client.getLocalAddress(), accepted.getRemoteAddress());
                    }
                }
            }
        });
    }
}
