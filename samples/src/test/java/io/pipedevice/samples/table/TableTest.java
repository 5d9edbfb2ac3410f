// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.table;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
final class TableTest {
    @ParameterizedTest
    @CsvSource({"8, 8", "8, 64", "1, 1", "16, 1024", "64, 100", "64, 1024"})
    void keysHaveTheLastValueThatWasPut(int keyLength, int valueLength) {
        TableLayout layout = TableLayout.of(300, 1, keyLength, valueLength);
        LocalTable table = new LocalTable(layout, LocalTable.regions(layout));
        Random random = new Random(keyLength);
        Map<String, byte[]> expected = new HashMap<>();
        for (int i = 0; i < 3000; i++) {
            byte[] key = new byte[1 + random.nextInt(keyLength)];
            key[0] = (byte) random.nextInt();
            key[key.length - 1] = key[0];
            byte[] value = new byte[random.nextInt(valueLength + 1)];
            random.nextBytes(value);
            if (expected.size() < 300 || expected.containsKey(HexFormat.of().formatHex(key))) {
                assertEquals(TableFunction.OK, table.put(key, value));
                expected.put(HexFormat.of().formatHex(key), value);
            } else {
                assertNull(table.get(key));
            }
        }
        expected.forEach((key, value) ->
                assertArrayEquals(value, table.get(HexFormat.of().parseHex(key))));
    }

    @Test
    void keysOfOneBucketFormAChain() {
        TableLayout layout = new TableLayout(1, 40, 101, 24);
        LocalTable table = new LocalTable(layout, LocalTable.regions(layout));
        for (int round = 0; round < 3; round++) {
            for (int i = 0; i < 100; i++) {
                assertEquals(TableFunction.OK, table.put(key(i), key(i + round)));
            }
        }
        for (int i = 0; i < 100; i++) {
            assertArrayEquals(key(i + 2), table.get(key(i)));
        }
        assertNull(table.get(key(100)));
    }

    @Test
    void aTableWithoutRoomRefusesNewKeysAndStillChangesOldOnes() {
        TableLayout layout = new TableLayout(4, 0, 1000, 24);
        LocalTable table = new LocalTable(layout, LocalTable.regions(layout));
        assertFull(table);
        TableLayout fewItems = new TableLayout(100, 10, 10, 24);
        LocalTable small = new LocalTable(fewItems, LocalTable.regions(fewItems));
        for (int i = 0; i < 9; i++) {
            assertEquals(TableFunction.OK, small.put(key(i), key(i)));
        }
        for (int i = 0; i < 100; i++) {
            assertEquals(TableFunction.OK, small.put(key(i % 9), key(i)));
        }
        assertEquals(TableFunction.OK, small.put(key(9), key(9)));
        assertEquals(TableFunction.FULL, small.put(key(10), key(10)));
        assertArrayEquals(key(99), small.get(key(0)));
    }

    private static void assertFull(LocalTable table) {
        int held = 0;
        while (table.put(key(held), key(held)) == TableFunction.OK) {
            held++;
        }
        for (int round = 0; round < 2000; round++) {
            int i = round % held;
            assertEquals(TableFunction.OK, table.put(key(i), key(i + 1)));
            assertEquals(TableFunction.FULL, table.put(key(held), key(held)));
        }
        assertNull(table.get(key(held)));
        assertArrayEquals(key(1), table.get(key(0)));
    }

    @Test
    void aMissGivesTheKeyBackAndNoOtherItem() {
        TableLayout layout = new TableLayout(1, 100, 1000, 24);
        LocalTable table = new LocalTable(layout, LocalTable.regions(layout));
        for (int i = 0; i < 300; i++) {
            table.put(key(i), key(i));
        }
        TableMessage.get(table.getMessage(), key(5000));
        assertEquals(TableFunction.ABSENT, table.callGet());
        assertEquals(0, TableMessage.value(table.getMessage()).byteSize());
        assertArrayEquals(key(5000), table.getMessage().asSlice(8, 8).toArray(ValueLayout.JAVA_BYTE));
    }

    @Test
    void lengthsThatTheMessageCannotHoldAreInvalid() {
        TableLayout layout = TableLayout.of(10, 1, 8, 8);
        LocalTable table = new LocalTable(layout, LocalTable.regions(layout));
        for (int[] lengths : List.of(
                new int[] {0, 0},
                new int[] {65, 0},
                new int[] {17, 0},
                new int[] {-1, 0},
                new int[] {8, 9},
                new int[] {8, -1},
                new int[] {16, 1})) {
            MemorySegment message = table.putMessage();
            message.set(ValueLayout.JAVA_INT, 0, lengths[0]);
            message.set(ValueLayout.JAVA_INT, 4, lengths[1]);
            assertEquals(TableFunction.INVALID, table.callPut(), lengths[0] + ", " + lengths[1]);
        }
        table.getMessage().set(ValueLayout.JAVA_INT, 0, 65);
        assertEquals(TableFunction.INVALID, table.callGet());
    }

    private static byte[] key(int number) {
        return String.format("%08d", number).getBytes(StandardCharsets.US_ASCII);
    }
}
