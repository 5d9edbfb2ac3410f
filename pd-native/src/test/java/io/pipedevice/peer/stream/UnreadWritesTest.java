// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** How long a write waits until its peer counts as one that does not read. */
final class UnreadWritesTest {
    /** The beginning of a window of 100 ms. */
    private static final long BEGIN = TimeUnit.SECONDS.toNanos(7);

    private final AtomicLong shared = new AtomicLong();

    private static long ms(long millis) {
        return TimeUnit.MILLISECONDS.toNanos(millis);
    }

    private List<UnreadWrites> waiting(int count) {
        List<UnreadWrites> streams =
                Stream.generate(() -> new UnreadWrites(shared)).limit(count).toList();
        streams.forEach(each -> each.turns(BEGIN));
        return streams;
    }

    @Test
    void theOnlyStreamThatWaitsWaitsNoLonger() {
        UnreadWrites only = new UnreadWrites(shared);
        for (long at = 0; at < 1000; at += 10) {
            assertEquals(0, only.turns(BEGIN + ms(at)));
        }
    }

    @Test
    void eachOfManyStreamsWaitsForTheTurnsOfTheOthers() {
        List<UnreadWrites> streams = waiting(10);
        streams.forEach(each -> assertEquals(ms(9), each.turns(BEGIN + ms(50))));
        streams.forEach(each -> assertEquals(ms(9), each.turns(BEGIN + ms(150)), "in the next window"));
    }

    @Test
    void streamsThatNoLongerWaitAreNotCounted() {
        UnreadWrites first = waiting(10).getFirst();
        assertEquals(ms(9), first.turns(BEGIN + ms(150)));
        assertEquals(0, first.turns(BEGIN + ms(250)));
    }

    @Test
    void aClockReadBeforeTheWindowDropsNoStream() {
        List<UnreadWrites> streams = waiting(10);
        streams.forEach(each -> each.turns(BEGIN + ms(100)));
        assertEquals(ms(10), new UnreadWrites(shared).turns(BEGIN + ms(99)));
    }

    @Test
    void noWriteWaitsForMoreThanThisTime() {
        assertEquals(ms(127), waiting(70_000).getFirst().turns(BEGIN));
    }
}
