// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Closing a channel that a selector has: it is the selector's thread that lets go of it. */
class RegisteredCloseContractTest extends Contract {
    private static final int LINGER_SECONDS = 30;

    @Test
    void aCloseThatLingersDoesNotHoldTheSelectingThreadUp() throws Exception {
        Connection connection = connect();
        SocketChannel client = connection.client();
        client.configureBlocking(false);
        client.setOption(StandardSocketOptions.SO_LINGER, LINGER_SECONDS);
        Flood.fill(client, ByteBuffer.allocate(Flood.MORE_THAN_A_CONNECTION_TAKES));
        Selector selector = openSelector(client);
        client.register(selector, SelectionKey.OP_READ);
        assertEquals(0, selector.selectNow());
        client.close();
        Task<Integer> select = start(selector::selectNow);
        assertTrue(select.join(Duration.ofSeconds(LINGER_SECONDS / 2)), "select waits for a peer that does not read");
        assertEquals(0, select.result());
    }
}
