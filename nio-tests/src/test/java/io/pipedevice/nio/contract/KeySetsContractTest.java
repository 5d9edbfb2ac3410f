// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrowsExactly;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.util.Iterator;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The sets of keys that a selector has. */
class KeySetsContractTest extends Contract {
    private Connection connection;
    private SocketChannel client;
    private Selector selector;

    private void open() throws IOException {
        connection = connect();
        connection.configureBlocking(false);
        client = connection.client();
        selector = openSelector(client);
    }

    @Test
    void theSetOfKeysCannotBeChanged() throws IOException {
        open();
        SelectionKey key = client.register(selector, SelectionKey.OP_READ);
        Set<SelectionKey> keys = selector.keys();
        assertSame(keys, selector.keys());
        assertThrowsExactly(UnsupportedOperationException.class, () -> keys.add(key));
        assertThrowsExactly(UnsupportedOperationException.class, () -> keys.remove(key));
        assertThrowsExactly(UnsupportedOperationException.class, keys::clear);
        Iterator<SelectionKey> iterator = keys.iterator();
        assertSame(key, iterator.next());
        assertThrowsExactly(UnsupportedOperationException.class, iterator::remove);
    }

    @Test
    void selectedKeysMayBeRemovedButNotAdded() throws IOException {
        open();
        SelectionKey key = client.register(selector, SelectionKey.OP_WRITE);
        Set<SelectionKey> selected = selector.selectedKeys();
        assertSame(selected, selector.selectedKeys());
        assertThrowsExactly(UnsupportedOperationException.class, () -> selected.add(key));
        assertThrowsExactly(UnsupportedOperationException.class, () -> selected.addAll(Set.of(key)));
        assertEquals(1, selector.select());
        assertTrue(selected.remove(key));
        assertFalse(selected.remove(key));
        assertEquals(1, selector.select());
        Iterator<SelectionKey> iterator = selected.iterator();
        assertSame(key, iterator.next());
        iterator.remove();
        assertTrue(selected.isEmpty());
        assertEquals(1, selector.select());
        selected.clear();
    }

    @Test
    void aKeyThatIsNotRemovedIsCountedOnlyWhenItHasChanged() throws IOException {
        open();
        SelectionKey key = client.register(selector, SelectionKey.OP_READ | SelectionKey.OP_WRITE);
        assertEquals(1, selector.select());
        assertEquals(SelectionKey.OP_WRITE, key.readyOps());
        assertEquals(0, selector.select());
        assertEquals(0, selector.selectNow());
        assertEquals(Set.of(key), selector.selectedKeys());

        connection.server().write(Bytes.ascii("x"));
        Readiness.awaitReadable(client);
        assertEquals(1, selector.select());
        assertEquals(SelectionKey.OP_READ | SelectionKey.OP_WRITE, key.readyOps());
        // The ready set keeps an operation until the program removes the key.
        assertEquals(1, client.read(ByteBuffer.allocate(2)));
        assertEquals(0, selector.select());
        assertEquals(SelectionKey.OP_READ | SelectionKey.OP_WRITE, key.readyOps());
        selector.selectedKeys().clear();
        assertEquals(1, selector.select());
        assertEquals(SelectionKey.OP_WRITE, key.readyOps());
    }
}
