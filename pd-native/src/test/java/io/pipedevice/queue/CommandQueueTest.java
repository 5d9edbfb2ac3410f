// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class CommandQueueTest {
    private final Arena arena = Arena.ofShared();
    private final Command command = new Command();
    private final Command into = new Command();

    @AfterEach
    void free() {
        arena.close();
    }

    private MemorySegment memory(int depth) {
        return arena.allocate(CommandQueueDescriptor.requiredLength(depth), 32);
    }

    private Command numbered(long number) {
        return numbered(command, number);
    }

    private static Command numbered(Command command, long number) {
        int low = (int) number & 0xFFFF;
        return command.set(
                CommandType.SEND, number, ~number, (int) number & 0xFFFFFF, low, low, low & 0xFF, low, (int) number);
    }

    private static void assertNumbered(long number, Command actual) {
        int low = (int) number & 0xFFFF;
        assertEquals(CommandType.SEND, actual.type());
        assertEquals(number, actual.source());
        assertEquals(~number, actual.destination());
        assertEquals((int) number & 0xFFFFFF, actual.length());
        assertEquals(low, actual.containerId());
        assertEquals(low, actual.connectionId());
        assertEquals(low & 0xFF, actual.tableId());
        assertEquals(low, actual.entrySequence());
        assertEquals((int) number, actual.tag());
    }

    @Test
    void publishesAtTheThreshold() {
        MemorySegment memory = memory(8);
        CommandProducer producer = new CommandProducer(memory, 8, 3);
        CommandConsumer consumer = new CommandConsumer(memory, 8, 8);
        assertTrue(producer.offer(numbered(0)));
        assertTrue(producer.offer(numbered(1)));
        assertTrue(consumer.isEmpty());
        assertFalse(consumer.poll(into));
        assertTrue(producer.offer(numbered(2)));
        assertFalse(consumer.isEmpty());
        for (int i = 0; i < 3; i++) {
            assertTrue(consumer.poll(into));
            assertNumbered(i, into);
        }
        assertTrue(producer.offer(numbered(3)));
        assertFalse(consumer.poll(into));
        producer.flush();
        assertTrue(consumer.poll(into));
        assertNumbered(3, into);
    }

    @Test
    void publishesWhenFullAndTakesNoMoreThanItsDepth() {
        MemorySegment memory = memory(4);
        CommandProducer producer = new CommandProducer(memory, 4, 4);
        CommandConsumer consumer = new CommandConsumer(memory, 4, 4);
        assertTrue(producer.offer(numbered(0)));
        producer.flush();
        for (int i = 1; i < 4; i++) {
            assertEquals(4 - i, producer.available());
            assertTrue(producer.offer(numbered(i)));
        }
        assertEquals(0, producer.available());
        assertFalse(producer.offer(numbered(4)), "full");
        for (int i = 0; i < 4; i++) {
            assertTrue(consumer.poll(into), "published by the offer that failed");
            assertNumbered(i, into);
        }
    }

    @Test
    void givesEntriesBackAtTheThresholdOrWhenEmptyOrFlushed() {
        MemorySegment memory = memory(8);
        CommandProducer producer = new CommandProducer(memory, 8, 1);
        CommandConsumer consumer = new CommandConsumer(memory, 8, 3);
        for (int i = 0; i < 8; i++) {
            assertTrue(producer.offer(numbered(i)));
        }
        assertTrue(consumer.poll(into));
        assertTrue(consumer.poll(into));
        assertEquals(0, producer.available());
        assertTrue(consumer.poll(into));
        assertEquals(3, producer.available());
        assertTrue(consumer.poll(into));
        assertEquals(3, producer.available());
        consumer.flush();
        assertEquals(4, producer.available());
        while (consumer.poll(into)) {
            assertTrue(producer.available() < 8);
        }
        assertEquals(8, producer.available());
    }

    @Test
    void anotherEndGoesOnWhereOneLeftOff() {
        MemorySegment memory = memory(4);
        CommandProducer first = new CommandProducer(memory, 4, 1);
        for (int i = 0; i < 3; i++) {
            assertTrue(first.offer(numbered(i)));
        }
        CommandConsumer consumer = new CommandConsumer(memory, 4, 1);
        assertTrue(consumer.poll(into));
        CommandProducer second = new CommandProducer(memory, 4, 1);
        assertEquals(2, second.available());
        assertTrue(second.offer(numbered(3)));
        CommandConsumer other = new CommandConsumer(memory, 4, 1);
        for (int i = 1; i < 4; i++) {
            assertTrue(other.poll(into));
            assertNumbered(i, into);
        }
        assertFalse(other.poll(into));
    }

    @Test
    void refusesMemoryAndParametersThatDoNotFit() {
        MemorySegment memory = memory(4);
        assertThrows(IllegalArgumentException.class, () -> new CommandProducer(memory, 8, 1));
        assertThrows(IllegalArgumentException.class, () -> new CommandConsumer(memory, 3, 1));
        assertThrows(IllegalArgumentException.class, () -> new CommandConsumer(memory, 1, 1));
        assertThrows(IllegalArgumentException.class, () -> new CommandProducer(memory, 4, 0));
        assertThrows(IllegalArgumentException.class, () -> new CommandConsumer(memory, 4, 5));
        assertThrows(IllegalArgumentException.class, () -> CommandQueueDescriptor.requiredLength(1 << 17));
        assertThrows(IllegalArgumentException.class, () -> CommandQueueDescriptor.requiredLength(Integer.MIN_VALUE));
        MemorySegment crooked = memory(4).asSlice(4);
        assertThrows(IllegalArgumentException.class, () -> new CommandProducer(crooked, 2, 1));
    }

    @Test
    void behavesAsAQueueOfItsDepth() {
        long seed = System.nanoTime();
        System.out.println("CommandQueueTest seed " + seed);
        Random random = new Random(seed);
        for (int lap = 0; lap < 50; lap++) {
            int depth = 2 << random.nextInt(6);
            int producerThreshold = 1 + random.nextInt(depth);
            int consumerThreshold = 1 + random.nextInt(depth);
            MemorySegment memory = memory(depth);
            CommandProducer producer = new CommandProducer(memory, depth, producerThreshold);
            CommandConsumer consumer = new CommandConsumer(memory, depth, consumerThreshold);
            long offered = 0;
            long taken = 0;
            for (int step = 0; step < 2000; step++) {
                switch (random.nextInt(6)) {
                    case 0, 1 -> {
                        boolean accepted = producer.offer(numbered(offered));
                        assertTrue(accepted || offered - taken + consumerThreshold > depth, "room was refused");
                        offered += accepted ? 1 : 0;
                        assertTrue(offered - taken <= depth);
                    }
                    case 2, 3 -> {
                        if (consumer.poll(into)) {
                            assertNumbered(taken++, into);
                        } else {
                            assertTrue(offered - taken < producerThreshold, "a published command was missed");
                        }
                    }
                    case 4 -> producer.flush();
                    default -> consumer.flush();
                }
            }
            producer.flush();
            while (consumer.poll(into)) {
                assertNumbered(taken++, into);
            }
            assertEquals(offered, taken);
        }
    }

    @Test
    void carriesCommandsBetweenThreads() {
        int count = 500_000;
        MemorySegment memory = memory(64);
        CommandConsumer consumer = new CommandConsumer(memory, 64, 16);
        CompletableFuture<Void> producing = CompletableFuture.runAsync(() -> {
            CommandProducer producer = new CommandProducer(memory, 64, 16);
            Command next = new Command();
            for (int i = 0; i < count; i++) {
                while (!producer.offer(numbered(next, i))) {
                    Thread.onSpinWait();
                }
            }
            producer.flush();
        });
        for (int i = 0; i < count; i++) {
            while (!consumer.poll(into)) {
                Thread.onSpinWait();
            }
            assertNumbered(i, into);
        }
        producing.join();
        assertTrue(consumer.isEmpty());
    }
}
