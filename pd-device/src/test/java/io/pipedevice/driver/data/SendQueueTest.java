// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SendQueueTest {
    private static final int RING = 4096;

    @Test
    void gathersPostsThatLieBackToBack() {
        SendQueue queue = new SendQueue(16, 256);
        queue.post(0, 64);
        queue.post(64, 64);
        queue.post(128, 64);
        assertEquals(192, queue.nextLength());
        queue.submitted(192);
        assertEquals(3, queue.completed(192));
        assertTrue(queue.isEmpty());
    }

    @Test
    void doesNotGatherBeyondTheLimitNorOverAGap() {
        SendQueue queue = new SendQueue(16, 100);
        queue.post(0, 64);
        queue.post(64, 64);
        queue.post(200, 8);
        assertEquals(64, queue.nextLength());
        queue.submitted(64);
        assertEquals(64, queue.nextPointer());
        assertEquals(64, queue.nextLength());
        queue.submitted(64);
        assertEquals(200, queue.nextPointer());
        assertEquals(8, queue.nextLength());
    }

    @Test
    void doesNotGatherIntoWhatWasSubmitted() {
        SendQueue queue = new SendQueue(16, 1024);
        queue.post(0, 64);
        queue.submitted(64);
        queue.post(64, 64);
        assertEquals(64, queue.nextLength());
        assertEquals(1, queue.completed(64));
        assertFalse(queue.isEmpty());
    }

    @Test
    void refusesMorePostsThanMayBeOutstanding() {
        SendQueue queue = new SendQueue(2, 1024);
        assertTrue(queue.post(0, 1));
        assertTrue(queue.post(1, 1));
        assertFalse(queue.post(2, 1));
        queue.submitted(2);
        assertEquals(2, queue.completed(2));
        assertTrue(queue.post(2, 1));
    }

    @Test
    void completesAnEntryOnlyWhenAllOfItsPiecesAre() {
        SendQueue queue = new SendQueue(16, 1024);
        queue.post(0, 100);
        queue.submitted(60);
        assertEquals(60, queue.nextPointer());
        assertEquals(0, queue.completed(60));
        queue.submitted(40);
        assertEquals(1, queue.completed(40));
    }

    @Test
    void dropsUnsubmittedPostsAndCompletesTheRest() {
        SendQueue queue = new SendQueue(16, 1024);
        queue.post(0, 100);
        queue.submitted(30);
        queue.post(500, 10);
        queue.dropUnsubmitted();
        assertFalse(queue.hasUnsubmitted());
        assertFalse(queue.isEmpty());
        assertEquals(1, queue.completed(30));
        assertTrue(queue.isEmpty());
    }

    /** The model: every posted byte is submitted once, in order, and every post completes once, in order. */
    @Test
    void keepsTheStreamWhateverThePieces() {
        long seed = System.nanoTime();
        System.out.println("SendQueueTest seed " + seed);
        SplittableRandom random = new SplittableRandom(seed);
        SendQueue queue = new SendQueue(64, 512);
        Deque<Integer> expected = new ArrayDeque<>();
        Deque<Integer> inFlight = new ArrayDeque<>();
        int position = 0;
        long posted = 0;
        long completed = 0;
        for (int step = 0; step < 200_000; step++) {
            switch (random.nextInt(3)) {
                case 0 -> {
                    int length = 1 + random.nextInt(200);
                    position = random.nextInt(4) == 0 ? random.nextInt(RING) : position;
                    if (queue.post(position, length)) {
                        posted++;
                        for (int i = 0; i < length; i++) {
                            expected.add(position + i);
                        }
                        position += length;
                    }
                }
                case 1 -> {
                    if (queue.hasUnsubmitted()) {
                        int piece = 1 + random.nextInt(queue.nextLength());
                        int pointer = queue.nextPointer();
                        for (int i = 0; i < piece; i++) {
                            assertEquals(expected.poll(), pointer + i);
                        }
                        queue.submitted(piece);
                        inFlight.add(piece);
                    }
                }
                default -> {
                    if (!inFlight.isEmpty()) {
                        completed += queue.completed(inFlight.poll());
                    }
                }
            }
            assertEquals(expected.size(), queue.unsubmittedBytes());
            assertEquals(posted - completed, queue.outstandingPosts());
        }
    }
}
