// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.queue;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class CommandTest {
    /** Builds the layout of Figure 6 field by field at the documented offsets. */
    private static byte[] bytes(
            int type,
            long source,
            long destination,
            int length,
            int cid,
            int connection,
            int table,
            int entry,
            int tag) {
        ByteBuffer buffer = ByteBuffer.allocate(CommandDescriptor.ENTRY_LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        buffer.put(CommandDescriptor.TYPE_OFFSET, (byte) type);
        buffer.putLong(CommandDescriptor.SOURCE_OFFSET, source);
        buffer.putLong(CommandDescriptor.DESTINATION_OFFSET, destination);
        buffer.putShort(CommandDescriptor.LENGTH_LOW_OFFSET, (short) length);
        buffer.putShort(CommandDescriptor.CONTAINER_ID_OFFSET, (short) cid);
        buffer.putShort(CommandDescriptor.CONNECTION_ID_OFFSET, (short) connection);
        buffer.put(CommandDescriptor.TABLE_ID_OFFSET, (byte) table);
        buffer.putShort(CommandDescriptor.ENTRY_SEQUENCE_OFFSET, (short) entry);
        buffer.putShort(CommandDescriptor.LENGTH_HIGH_OFFSET, (short) (length >>> 16));
        buffer.putInt(CommandDescriptor.TAG_OFFSET, tag);
        return buffer.array();
    }

    private static byte[] written(Command command) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(96, 32);
            command.write(memory, 32);
            assertEquals(-1, memory.asSlice(0, 32).mismatch(arena.allocate(32)), "writes before the entry");
            assertEquals(-1, memory.asSlice(64, 32).mismatch(arena.allocate(32)), "writes after the entry");
            return memory.asSlice(32, 32).toArray(ValueLayout.JAVA_BYTE);
        }
    }

    private static Command read(byte[] bytes) {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(32, 32);
            MemorySegment.copy(bytes, 0, memory, ValueLayout.JAVA_BYTE, 0, 32);
            Command command = new Command();
            command.read(memory, 0);
            return command;
        }
    }

    @Test
    void offsetsAreThoseOfFigure6() {
        int[] widths = {1, 8, 8, 2, 2, 2, 1, 2, 2, 4};
        int[] offsets = {
            CommandDescriptor.TYPE_OFFSET,
            CommandDescriptor.SOURCE_OFFSET,
            CommandDescriptor.DESTINATION_OFFSET,
            CommandDescriptor.LENGTH_LOW_OFFSET,
            CommandDescriptor.CONTAINER_ID_OFFSET,
            CommandDescriptor.CONNECTION_ID_OFFSET,
            CommandDescriptor.TABLE_ID_OFFSET,
            CommandDescriptor.ENTRY_SEQUENCE_OFFSET,
            CommandDescriptor.LENGTH_HIGH_OFFSET,
            CommandDescriptor.TAG_OFFSET
        };
        int expected = 0;
        for (int i = 0; i < widths.length; i++) {
            assertEquals(expected, offsets[i]);
            expected += widths[i];
        }
        assertEquals(CommandDescriptor.ENTRY_LENGTH, expected);
    }

    @Test
    void everyByteHasItsPlace() {
        Command command = new Command()
                .set(
                        0x01,
                        0x0908070605040302L,
                        0x11100F0E0D0C0B0AL,
                        0x1C1B1312,
                        0x1514,
                        0x1716,
                        0x18,
                        0x1A19,
                        0x201F1E1D);
        byte[] expected = new byte[32];
        for (int i = 0; i < 32; i++) {
            expected[i] = (byte) (i + 1);
        }
        assertArrayEquals(expected, written(command));
    }

    @Test
    void fieldsKeepTheirExtremes() {
        Command command = new Command()
                .set(255, -1, Long.MIN_VALUE, Integer.MAX_VALUE, 0xFFFF, 0xFFFF, 255, 0xFFFF, Integer.MIN_VALUE);
        assertEquals(255, command.type());
        assertEquals(-1, command.source());
        assertEquals(Long.MIN_VALUE, command.destination());
        assertEquals(Integer.MAX_VALUE, command.length());
        assertEquals(0xFFFF, command.containerId());
        assertEquals(0xFFFF, command.connectionId());
        assertEquals(255, command.tableId());
        assertEquals(0xFFFF, command.entrySequence());
        assertEquals(Integer.MIN_VALUE, command.tag());
    }

    @Test
    void aLengthBeyondTwoBytesIsNotTruncated() {
        for (int length : new int[] {0, 1, 0xFFFF, 0x10000, 0x10001, 4 << 20, Integer.MAX_VALUE}) {
            assertEquals(
                    length, new Command().set(1, 0, 0, length, 0, 0, 0, 0, 0).length());
        }
    }

    @Test
    void randomCommandsAreWrittenAndReadByTheLayout() {
        long seed = System.nanoTime();
        System.out.println("CommandTest seed " + seed);
        Random random = new Random(seed);
        for (int i = 0; i < 10_000; i++) {
            int type = random.nextInt(256);
            long source = random.nextLong();
            long destination = random.nextLong();
            int length = random.nextInt() & Integer.MAX_VALUE;
            int cid = random.nextInt(1 << 16);
            int connection = random.nextInt(1 << 16);
            int table = random.nextInt(256);
            int entry = random.nextInt(1 << 16);
            int tag = random.nextInt();
            byte[] expected = bytes(type, source, destination, length, cid, connection, table, entry, tag);
            Command command = new Command().set(type, source, destination, length, cid, connection, table, entry, tag);
            assertArrayEquals(expected, written(command));
            Command copy = read(expected);
            assertEquals(command.toString(), copy.toString());
            assertArrayEquals(expected, written(copy));

            int status = random.nextInt();
            byte[] completed =
                    bytes(CommandType.COMPLETED, source, destination, length, cid, connection, table, entry, status);
            assertArrayEquals(completed, written(copy.complete(status)), "only type and tag change");
        }
    }

    @Test
    void readsAStampedEntryOnlyWithItsStamp() {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(32, 32);
            Command command = new Command().set(1, 2, 3, 4, 5, 6, 7, 8, 9);
            command.write(memory, 0);
            Command into = new Command();
            assertFalse(into.readStamped(memory, 0, 8));
            assertEquals(0, into.type(), "untouched");
            assertTrue(into.readStamped(memory, 0, 9));
            assertEquals(command.toString(), into.toString());
        }
    }
}
