// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.emulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pipedevice.device.DeviceMapping;
import io.pipedevice.device.DeviceMapping.Access;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class AddressTranslationTest {
    private static final int LAST = EmulatorFixture.SIZE;

    private static EmulatorFixture fixture() throws IOException {
        return new EmulatorFixture(new DmaEmulator.Context().maxTransfer(4096));
    }

    @Test
    void failsCommandsOutsideTheirMapping() throws IOException {
        try (EmulatorFixture fixture = fixture()) {
            long from = fixture.sourceMapping.address();
            long to = fixture.destinationMapping.address();
            assertEquals(CommandType.STATUS_OK, fixture.execute(fixture.copy(LAST - 10, 10, 0)));
            assertEquals(CommandType.STATUS_ADDRESS, fixture.execute(fixture.copy(LAST - 10, 11, 0)));
            assertEquals(CommandType.STATUS_ADDRESS, fixture.execute(fixture.copy(from + LAST, to, 1, 0)));
            assertEquals(CommandType.STATUS_ADDRESS, fixture.execute(fixture.copy(from, to + LAST, 1, 0)));
            assertEquals(CommandType.STATUS_ADDRESS, fixture.execute(fixture.copy(from - 1, to, 2, 0)));
            assertEquals(CommandType.STATUS_ADDRESS, fixture.execute(fixture.copy(0, to, 1, 0)));
            assertEquals(CommandType.STATUS_ADDRESS, fixture.execute(fixture.copy(from, 0, 1, 0)));
            assertEquals(CommandType.STATUS_ADDRESS, fixture.execute(fixture.copy(from | Long.MIN_VALUE, to, 1, 0)));
            assertEquals(CommandType.STATUS_ADDRESS, fixture.execute(fixture.copy(-1, -1, 1, 0)));
        }
    }

    @Test
    void failsCommandsThatTheMappingDoesNotAllow() throws IOException {
        try (EmulatorFixture fixture = fixture()) {
            long from = fixture.sourceMapping.address();
            long to = fixture.destinationMapping.address();
            assertEquals(CommandType.STATUS_ADDRESS, fixture.execute(fixture.copy(to, to, 1, 0)));
            assertEquals(CommandType.STATUS_ADDRESS, fixture.execute(fixture.copy(from, from, 1, 0)));
        }
    }

    @Test
    void survivesRandomAddresses() throws IOException {
        long seed = System.nanoTime();
        System.out.println("AddressTranslationTest seed " + seed);
        Random random = new Random(seed);
        try (EmulatorFixture fixture = fixture()) {
            for (int i = 0; i < 100_000; i++) {
                long from = random.nextBoolean() ? random.nextLong() : fixture.sourceMapping.address() ^ (1L << i);
                long to = random.nextBoolean() ? random.nextLong() : fixture.destinationMapping.address() ^ (1L << i);
                fixture.execute(fixture.copy(from, to, random.nextInt(), 0));
            }
            assertEquals(CommandType.STATUS_OK, fixture.execute(fixture.copy(0, 4096, 0)));
        }
    }

    @Test
    void failsCommandsOnMemoryThatItsOwnerClosedEarly() throws IOException {
        try (EmulatorFixture fixture = fixture()) {
            Arena arena = Arena.ofShared();
            try (DeviceMapping mapping = fixture.emulator.map(arena.allocate(100), Access.READ)) {
                long to = fixture.destinationMapping.address();
                assertEquals(CommandType.STATUS_OK, fixture.execute(fixture.copy(mapping.address(), to, 100, 0)));
                arena.close();
                assertEquals(CommandType.STATUS_ADDRESS, fixture.execute(fixture.copy(mapping.address(), to, 100, 0)));
            }
        }
    }

    @Test
    void failsStaleAddresses() throws IOException {
        try (EmulatorFixture fixture = fixture()) {
            long to = fixture.destinationMapping.address();
            List<Long> stale = new ArrayList<>();
            for (int i = 0; i < 100; i++) {
                try (DeviceMapping mapping = fixture.emulator.map(fixture.source, Access.READ)) {
                    assertEquals(CommandType.STATUS_OK, fixture.execute(fixture.copy(mapping.address(), to, 1, 0)));
                    stale.add(mapping.address());
                }
            }
            assertEquals(100, stale.stream().distinct().count());
            for (int i = 0; i < 16; i++) {
                assertFalse(stale.contains(
                        fixture.emulator.map(fixture.source, Access.READ).address()));
            }
            for (long address : stale) {
                assertEquals(CommandType.STATUS_ADDRESS, fixture.execute(fixture.copy(address, to, 1, 0)));
            }
        }
    }

    @Test
    void failsSubmittedCommandsWhoseMappingIsClosedMeanwhile() throws IOException {
        try (EmulatorFixture fixture = fixture()) {
            fixture.submit(fixture.lane(), fixture.copy(0, 1, 0));
            fixture.lane().flush();
            fixture.sourceMapping.close();
            fixture.sourceMapping.close();
            fixture.run();
            fixture.lane().complete(fixture.completion);
            assertEquals(CommandType.STATUS_ADDRESS, fixture.completion.tag());
        }
    }

    @Test
    void refusesMemoryThatCannotBeMapped() throws IOException {
        try (EmulatorFixture fixture = fixture();
                Arena arena = Arena.ofConfined()) {
            MemorySegment readOnly = arena.allocate(8).asReadOnly();
            assertThrows(
                    IllegalArgumentException.class,
                    () -> fixture.emulator.map(MemorySegment.ofArray(new byte[8]), Access.READ));
            assertThrows(IllegalArgumentException.class, () -> fixture.emulator.map(MemorySegment.NULL, Access.READ));
            assertThrows(IllegalArgumentException.class, () -> fixture.emulator.map(readOnly, Access.WRITE));
            fixture.emulator.map(readOnly, Access.READ).close();
        }
    }

    @Test
    void mapsAsOftenAsThereAreIndices() throws IOException {
        AddressTable table = new AddressTable();
        List<AddressTable.Entry> entries = new ArrayList<>();
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment memory = arena.allocate(100);
            for (int i = 0; i < 1 << AddressTable.INDEX_BITS; i++) {
                entries.add(table.add(memory, Access.READ));
            }
            assertThrows(IOException.class, () -> table.add(memory, Access.READ));
            for (AddressTable.Entry entry : entries) {
                assertSame(entry, table.resolve(entry.base() + 1, 99, Access.READ));
                assertNull(table.resolve(entry.base() + 1, 100, Access.READ));
            }
            AddressTable.Entry first = entries.get(0);
            table.remove(first);
            assertNull(table.resolve(first.base(), 1, Access.READ));
            for (int i = 0; i < 2 * AddressTable.MAX_GENERATION; i++) {
                AddressTable.Entry next = table.add(memory, Access.READ);
                assertNotEquals(0, next.base() >>> (AddressTable.OFFSET_BITS + AddressTable.INDEX_BITS), "generation");
                assertSame(next, table.resolve(next.base(), 100, Access.READ));
                table.remove(next);
            }
        }
    }
}
