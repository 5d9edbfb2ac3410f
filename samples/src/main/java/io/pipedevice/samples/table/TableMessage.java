// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.table;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;

/** Writes the message of a GET or PUT, and reads the answer. {@link TableLayout} has the picture. */
public final class TableMessage {
    private static final ValueLayout.OfInt LENGTH = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final int VALUE_LENGTH_OFFSET = 4;

    private TableMessage() {}

    /**
     * Writes the message of a GET.
     *
     * @param message where to
     * @param key 1 to 64 bytes
     */
    public static void get(MemorySegment message, byte[] key) {
        put(message, key, MemorySegment.NULL);
    }

    /**
     * Writes the message of a PUT.
     *
     * @param message where to
     * @param key 1 to 64 bytes
     * @param value up to 1,024 bytes, as far as the message has room
     */
    public static void put(MemorySegment message, byte[] key, MemorySegment value) {
        int keyWords = TableLayout.words(key.length);
        long used = TableLayout.ITEM_KEY + keyWords + value.byteSize();
        if (key.length < 1 || key.length > TableLayout.MAX_KEY || used > message.byteSize()) {
            throw new IllegalArgumentException("a key of " + key.length + " and a value of " + value.byteSize()
                    + " bytes, in a message of " + message.byteSize());
        }
        message.set(LENGTH, 0, key.length);
        message.set(LENGTH, VALUE_LENGTH_OFFSET, (int) value.byteSize());
        message.asSlice(TableLayout.ITEM_KEY, keyWords).fill((byte) 0);
        MemorySegment.copy(key, 0, message, ValueLayout.JAVA_BYTE, TableLayout.ITEM_KEY, key.length);
        MemorySegment.copy(value, 0, message, TableLayout.ITEM_KEY + keyWords, value.byteSize());
    }

    /**
     * The value that a GET has found.
     *
     * @param message after the call
     * @return a part of the message
     */
    public static MemorySegment value(MemorySegment message) {
        int keyLength = message.get(LENGTH, 0);
        return message.asSlice(
                TableLayout.ITEM_KEY + TableLayout.words(keyLength), message.get(LENGTH, VALUE_LENGTH_OFFSET));
    }
}
