// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.queue;

import static io.pipedevice.queue.EntryRingProducer.PUBLISHED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class EntryRingTest {
    private static final int DEPTH = 4;

    private final Arena arena = Arena.ofShared();
    private final MemorySegment entries = arena.allocate(DEPTH * 32, 32);
    private final MemorySegment consumed = arena.allocate(64, 64);
    private final EntryRingProducer producer = new EntryRingProducer(entries, DEPTH, consumed, 8);
    private final EntryRingConsumer consumer = new EntryRingConsumer(entries.asReadOnly(), DEPTH, consumed, 8);
    private final Command into = new Command();

    @AfterEach
    void free() {
        arena.close();
    }

    private int offer(long number) {
        int id = (int) number & 0xFFFF;
        return producer.offer(CommandType.EVENT, number, ~number, (int) number, id, id & 0xFF, id);
    }

    private void assertTaken(long number) {
        int id = (int) number & 0xFFFF;
        assertFalse(consumer.isEmpty());
        assertTrue(consumer.poll(into));
        assertEquals(CommandType.EVENT, into.type());
        assertEquals(number, into.source());
        assertEquals(~number, into.destination());
        assertEquals((int) number, into.length());
        assertEquals(0, into.containerId());
        assertEquals(id, into.connectionId());
        assertEquals(id & 0xFF, into.tableId());
        assertEquals(id, into.entrySequence());
    }

    private void assertNothing() {
        assertTrue(consumer.isEmpty());
        assertFalse(consumer.poll(into));
    }

    private long consumedWord() {
        return consumed.get(ValueLayout.JAVA_LONG, 8);
    }

    private void setConsumed(long value) {
        consumed.set(ValueLayout.JAVA_LONG, 8, value);
    }

    @Test
    void carriesCommandsOverManyLaps() {
        assertNothing();
        for (long i = 0; i < 100_000; i++) {
            assertEquals(PUBLISHED, offer(i));
            assertTaken(i);
            consumer.flush();
            assertNothing();
        }
        assertEquals(100_000, consumedWord());
        assertEquals(0, consumed.get(ValueLayout.JAVA_LONG, 0));
        assertEquals(0, consumed.get(ValueLayout.JAVA_LONG, 16));
    }

    @Test
    void isFullUntilTheConsumerFlushes() {
        for (int i = 0; i < DEPTH; i++) {
            assertEquals(PUBLISHED, offer(i));
        }
        assertEquals(EntryRingProducer.FULL, offer(99));
        for (int i = 0; i < DEPTH; i++) {
            assertTaken(i);
            assertEquals(EntryRingProducer.FULL, offer(99));
        }
        assertNothing();
        consumer.flush();
        for (int i = 0; i < DEPTH; i++) {
            assertEquals(PUBLISHED, offer(DEPTH + i));
        }
        assertEquals(EntryRingProducer.FULL, offer(99));
        for (int i = 0; i < DEPTH; i++) {
            assertTaken(DEPTH + i);
        }
    }

    @Test
    void findsACorruptConsumersWordWhenItLooks() {
        for (long lap = 1; lap <= 3; lap++) {
            for (int i = 0; i < DEPTH; i++) {
                assertEquals(PUBLISHED, offer(i));
            }
            long produced = lap * DEPTH;
            for (long wrong : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, produced + 1, produced - DEPTH - 1}) {
                setConsumed(wrong);
                assertEquals(EntryRingProducer.CORRUPT, offer(99), () -> "consumed " + wrong);
            }
            setConsumed(produced - DEPTH);
            assertEquals(EntryRingProducer.FULL, offer(99), "nothing was changed");
            setConsumed(produced);
        }
    }

    @Test
    void aConsumerThatLiesWithinBoundsHarmsOnlyItself() {
        for (int i = 0; i < 1000; i++) {
            assertEquals(PUBLISHED, offer(i));
            setConsumed(i + 1);
        }
        assertNothing();
    }

    @Test
    void takesAnEntryOnceForEachLapWhateverIsInIt() {
        for (int i = 0; i < DEPTH; i++) {
            stamp(i, 1);
        }
        for (int i = 0; i < DEPTH; i++) {
            assertTrue(consumer.poll(into));
        }
        assertNothing();
        stamp(0, 3);
        assertNothing();
        stamp(0, 2);
        stamp(2, 2);
        assertTrue(consumer.poll(into));
        assertNothing();
    }

    private void stamp(int entry, int stamp) {
        entries.set(ValueLayout.JAVA_INT, entry * 32L + CommandDescriptor.TAG_OFFSET, stamp);
    }

    @Test
    void survivesRandomBytes() {
        long seed = System.nanoTime();
        System.out.println("EntryRingTest seed " + seed);
        Random random = new Random(seed);
        int taken = 0;
        for (int i = 0; i < 200_000; i++) {
            long offset = random.nextInt(DEPTH * 4) * 8L;
            long word = random.nextInt(4) == 0
                    ? (long) (taken / DEPTH + random.nextInt(3)) << 32 | (random.nextInt() & 0xFFFFFFFFL)
                    : random.nextLong();
            entries.set(ValueLayout.JAVA_LONG, offset, word);
            if (consumer.poll(into)) {
                taken++;
                assertEquals(consumer.position, taken);
                assertTrue(into.type() >= 0 && into.type() < 256 && into.entrySequence() >= 0);
            }
            consumer.flush();
            assertEquals(taken, consumedWord());
        }
        assertTrue(taken > 0);
    }

    @Test
    void stampsOfEarlierLapsAreNotTakenWhenTheStampWraps() {
        long lap = 0xFFFF_FFFFL;
        consumer.position = lap * DEPTH;
        stamp(0, (int) lap);
        assertNothing();
        stamp(0, (int) lap + 1);
        assertTrue(consumer.poll(into));
    }

    @Test
    void refusesBadGeometry() {
        assertThrows(IllegalArgumentException.class, () -> new EntryRingProducer(entries, 3, consumed, 0));
        assertThrows(
                IllegalArgumentException.class,
                () -> new EntryRingConsumer(entries, EntryRingProducer.MAX_DEPTH * 2, consumed, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> new EntryRingConsumer(entries, 8, consumed, 0));
        assertThrows(IndexOutOfBoundsException.class, () -> new EntryRingProducer(entries, 8, consumed, 0));
    }

    @Test
    void severalThreadsProduce() throws InterruptedException {
        int threads = 2;
        int each = 100_000;
        int depth = 256;
        MemorySegment ring = arena.allocate(depth * 32L, 32);
        EntryRingProducer shared = new EntryRingProducer(ring, depth, consumed, 0);
        EntryRingConsumer reader = new EntryRingConsumer(ring, depth, consumed, 0);
        for (int t = 0; t < threads; t++) {
            int thread = t;
            Thread.ofPlatform().daemon().start(() -> produce(shared, thread, each));
        }
        int[] next = new int[threads];
        for (int i = 0; i < threads * each; i++) {
            while (!reader.poll(into)) {
                reader.flush();
                LockSupport.parkNanos(1);
            }
            int thread = into.connectionId();
            int expected = next[thread]++;
            assertEquals((long) thread << 32 | expected, into.source());
            assertEquals(expected, into.destination());
            assertEquals(expected, into.length());
            assertEquals(expected & 0xFFFF, into.entrySequence());
        }
        assertTrue(reader.isEmpty());
    }

    private static void produce(EntryRingProducer producer, int thread, int count) {
        for (int i = 0; i < count; i++) {
            while (producer.offer(1, (long) thread << 32 | i, i, i, thread, 0, i & 0xFFFF) != PUBLISHED) {
                LockSupport.parkNanos(1);
            }
        }
    }
}
