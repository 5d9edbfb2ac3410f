// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Queue;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class LoopsTest {
    @Test
    void aClosedLoopHasTheSameNumberOfCallsUnderWay() throws IOException {
        FakePort port = new FakePort(8);
        Histogram times = LoadPart.histogram();
        new ClosedLoop(port, new Nothing(), 5).run(0.05, times);
        assertEquals(5, port.most);
        assertEquals(port.posted, times.getTotalCount());
        assertTrue(port.underWay.isEmpty());
    }

    @Test
    void timesOfAnOpenLoopCountFromTheIntendedStartAlsoWhileAnswersFailToCome() throws IOException {
        FakePort port = new FakePort(1);
        port.firstTakesNs = 50_000_000;
        List<Long> intended = new ArrayList<>();
        List<Long> ended = new ArrayList<>();
        long calls = new OpenLoop(port, new Nothing(), false).run(10_000, 0.1, (start, end, place) -> {
            intended.add(start);
            ended.add(end);
        });
        assertEquals(calls, intended.size());
        long firstEnd = ended.getFirst();
        long late = intended.stream().skip(1).filter(start -> start < firstEnd).count();
        assertTrue(late > 100, "only " + late + " calls should have begun while the first one was under way");
    }

    @Test
    void callsOfAnOpenLoopThatNeverBeginCount() throws IOException {
        FakePort port = new FakePort(2);
        port.stopsAfter = 20;
        List<FunctionPlace> places = new ArrayList<>();
        long calls =
                new OpenLoop(port, new Nothing(), false).run(10_000, 0.1, (start, end, place) -> places.add(place));
        assertEquals(calls, places.size());
        assertTrue(port.posted < calls, port.posted + " of " + calls + " were begun");
        assertEquals(
                calls - port.posted, places.stream().filter(Objects::isNull).count());
    }

    @Test
    void anOpenLoopThatSleepsGetsAllAnswers() throws IOException {
        FakePort port = new FakePort(4);
        List<FunctionPlace> places = new ArrayList<>();
        long calls =
                new OpenLoop(port, new Nothing(), true).run(2000, 0.1, (intended, ended, place) -> places.add(place));
        assertEquals(calls, places.size());
        assertTrue(port.underWay.isEmpty());
    }

    /** Ends calls in their order, the first one after a time; after some, only when somebody waits. */
    private static final class FakePort implements Port {
        private final int slots;
        private final Queue<Integer> underWay = new ArrayDeque<>();
        private int most;
        private int posted;
        private int stopsAfter = Integer.MAX_VALUE;
        private long firstTakesNs;
        private long firstEnd;

        FakePort(int slots) {
            this.slots = slots;
        }

        @Override
        public int slots() {
            return slots;
        }

        @Override
        public MemorySegment prepare(int slot, int function) {
            return MemorySegment.NULL;
        }

        @Override
        public void post(int slot) {
            if (posted == 0) {
                firstEnd = System.nanoTime() + firstTakesNs;
            }
            underWay.add(slot);
            posted++;
            most = Math.max(most, underWay.size());
        }

        @Override
        public void flush() {}

        @Override
        public int poll() {
            boolean isStopped = posted > stopsAfter || System.nanoTime() - firstEnd < 0;
            return isStopped || underWay.isEmpty() ? -1 : underWay.remove();
        }

        @Override
        public int await(long timeoutNs) {
            return underWay.isEmpty() ? -1 : underWay.remove();
        }

        @Override
        public MemorySegment message(int slot) {
            return MemorySegment.NULL;
        }

        @Override
        public long result() {
            return 0;
        }

        @Override
        public FunctionPlace place() {
            return FunctionPlace.DEVICE;
        }

        @Override
        public void close() {}
    }

    private static final class Nothing implements Workload {
        @Override
        public int next() {
            return 0;
        }

        @Override
        public void write(MemorySegment message) {}

        @Override
        public void check(MemorySegment message, long result) {}
    }
}
