// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.protocol.ReadySetDescriptor;
import io.pipedevice.peer.stream.FakeLink;
import io.pipedevice.peer.stream.RingLink;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** {@link ReadyWriter} and {@link ReadyReader} over one memory of each side; the test plays both sides. */
@Timeout(60)
class ReadyRingTest {
    private static final int BELL = 3;

    private final List<Integer> ready = new ArrayList<>();
    private FakeLink[] sides;
    private LinkMemory pollers;
    private LinkMemory ringers;
    private ReadyWriter writer;
    private ReadyReader reader;

    @BeforeEach
    void open() throws IOException {
        sides = FakeLink.pair();
        pollers = sides[0].own();
        ringers = sides[1].own();
        writer = new ReadyWriter(ringers, pollers);
        writer.open(BELL);
        reader = newReader();
        reader.awake();
    }

    @AfterEach
    void close() {
        sides[0].close();
        sides[1].close();
    }

    private ReadyReader newReader() {
        return new ReadyReader(sides[0], BELL);
    }

    private boolean post(int cookie) {
        return writer.announce(PeerArmWord.of(BELL, 1, cookie)) == ReadyWriter.Announcement.ENOUGH;
    }

    private boolean read() {
        ready.clear();
        return reader.read((link, cookie) -> ready.add(cookie));
    }

    @Test
    void anAwakePollerIsNotifiedInMemoryOnly() {
        assertTrue(post(7));
        assertTrue(reader.hasEntry());
        assertTrue(post(9));
        assertTrue(read());
        assertEquals(List.of(7, 9), ready);
        assertFalse(reader.hasEntry());
        assertTrue(read());
        assertEquals(List.of(), ready);
    }

    @Test
    void thePositionZeroOfANewRingIsNotTakenForAnEntry() {
        assertFalse(reader.hasEntry());
        assertTrue(read());
        assertEquals(List.of(), ready);
    }

    @Test
    void aPollerThatSleepsIsRungOnceForEachSleep() {
        long armWord = PeerArmWord.of(BELL, 1, 7);
        reader.asleep();
        assertFalse(post(7), "no thread has rung in this sleep");
        writer.rung(armWord, writer.state(armWord));
        assertTrue(post(8));
        reader.awake();
        reader.asleep();
        assertFalse(post(9), "the next sleep");
        read();
        assertEquals(List.of(7, 8, 9), ready);
    }

    @Test
    void aRingBeforeASleepDoesNotCountForIt() {
        long armWord = PeerArmWord.of(BELL, 1, 7);
        reader.asleep();
        long before = writer.state(armWord);
        reader.awake();
        reader.asleep();
        writer.rung(armWord, before);
        assertFalse(post(7));
    }

    @Test
    void aBellWithoutAReadyRingIsRung() {
        assertEquals(ReadyWriter.Announcement.NONE, writer.announce(PeerArmWord.of(BELL + 1, 1, 7)));
        assertEquals(ReadyWriter.Announcement.NONE, writer.announce(PeerArmWord.of(RingLink.NO_BELL, 1, 7)));
        assertEquals(ReadyWriter.Announcement.NONE, writer.announce(PeerArmWord.of(0, 1, 7)));
        reader.leave();
        assertEquals(ReadyWriter.Announcement.NONE, writer.announce(PeerArmWord.of(BELL, 1, 7)));
        assertTrue(read());
        assertEquals(List.of(), ready);
    }

    /**
     * A peer read the state before the poller began to read the ring, and rings when the poller no longer receives from
     * the bell.
     */
    @Test
    void aBellRungWhileTheRingIsReadIsPostedInMemoryToo() {
        reader.leave();
        long armWord = PeerArmWord.of(BELL, 1, 7);
        assertEquals(ReadyWriter.Announcement.NONE, writer.announce(armWord));
        writer.announceRung(armWord);
        reader.awake();
        assertTrue(read());
        assertEquals(List.of(), ready, "the bell was rung after that");
        writer.announceRung(armWord);
        assertTrue(read());
        assertEquals(List.of(7), ready);
        writer.loseRung(armWord);
        assertFalse(read());
        writer.announceRung(PeerArmWord.of(BELL + 1, 1, 7));
        writer.loseRung(PeerArmWord.of(RingLink.NO_BELL, 1, 7));
        assertTrue(read());
        assertEquals(List.of(), ready);
    }

    @Test
    void aRingThatIsFullIsReportedOnceAndGoesOn() {
        for (int i = 0; i < ReadySetDescriptor.ENTRIES; i++) {
            assertTrue(post(i));
        }
        assertTrue(post(1000));
        assertTrue(reader.hasEntry());
        assertFalse(read());
        assertEquals(ReadySetDescriptor.ENTRIES, ready.size());
        assertTrue(read());
        assertTrue(post(1001));
        assertTrue(read());
        assertEquals(List.of(1001), ready);
    }

    @Test
    void theNextPollerOfABellGoesOnWhereTheLastOneLeft() {
        for (int i = 0; i < 5; i++) {
            post(i);
        }
        read();
        reader.asleep();
        long lastSleep = writer.state(PeerArmWord.of(BELL, 1, 0));
        reader.leave();
        reader = newReader();
        reader.awake();
        post(8);
        assertTrue(read());
        assertEquals(List.of(8), ready);
        reader.asleep();
        assertTrue(writer.state(PeerArmWord.of(BELL, 1, 0)) != lastSleep, "a sleep has a number of its own");
    }

    /** A thread has claimed an entry, and was preempted before it wrote the entry. */
    @Test
    void anEntryThatIsNotWrittenYetHidesNoneBehindIt() {
        post(1);
        int tail = ReadySetDescriptor.ringer(BELL) + ReadySetDescriptor.TAIL_OFFSET;
        long claimed = ringers.getAcquire(tail);
        ringers.setRelease(tail, claimed + 1);
        post(3);
        assertTrue(read());
        assertEquals(List.of(1, 3), ready);
        assertFalse(reader.hasEntry(), "there is nothing to be read, so that the poller may sleep");
        assertTrue(read());
        assertEquals(List.of(), ready);
        ringers.setRelease(ReadySetDescriptor.entry(BELL, claimed), ReadySetDescriptor.entryWord(claimed, 2));
        post(4);
        assertTrue(read());
        assertEquals(List.of(2, 4), ready);
        // After a lap, an entry that was read ahead does not count for another position.
        for (int i = 0; i < 3 * ReadySetDescriptor.ENTRIES; i++) {
            post(i);
            assertTrue(read());
            assertEquals(List.of(i), ready);
        }
    }

    @Test
    void wordsThatCannotBeCostNoMoreThanARingOfEntries() {
        int tail = ReadySetDescriptor.ringer(BELL) + ReadySetDescriptor.TAIL_OFFSET;
        for (long word : new long[] {-1, Long.MIN_VALUE, Long.MAX_VALUE, ReadySetDescriptor.ENTRIES + 1, 1L << 40}) {
            ringers.setRelease(tail, word);
            assertFalse(read(), "a tail of " + word);
            assertTrue(ready.size() <= ReadySetDescriptor.ENTRIES);
            assertTrue(read());
        }
        pollers.setRelease(ReadySetDescriptor.poller(BELL) + ReadySetDescriptor.STATE_OFFSET, 3);
        assertFalse(post(1), "an invalid state");
    }

    /** Several threads write and one reads: no cookie is missed unless a loss is reported. */
    @Test
    void whatSeveralThreadsWriteIsReadOnceOrReportedAsLost() throws InterruptedException {
        int threads = 3;
        int each = 100_000;
        AtomicIntegerArray seen = new AtomicIntegerArray(threads * each);
        AtomicBoolean over = new AtomicBoolean();
        boolean[] lost = new boolean[1];
        Thread poller = Thread.ofPlatform().start(() -> {
            boolean last = false;
            while (!last) {
                last = over.get();
                lost[0] |= !reader.read((link, cookie) -> seen.incrementAndGet(cookie));
            }
        });
        Thread[] writers = new Thread[threads];
        for (int i = 0; i < threads; i++) {
            int first = i * each;
            writers[i] = Thread.ofPlatform().start(() -> {
                for (int cookie = first; cookie < first + each; cookie++) {
                    post(cookie);
                }
            });
        }
        for (Thread writing : writers) {
            writing.join();
        }
        over.set(true);
        poller.join();
        int missed = 0;
        for (int i = 0; i < seen.length(); i++) {
            assertTrue(seen.get(i) <= 1, "cookie " + i + " was read " + seen.get(i) + " times");
            missed += 1 - seen.get(i);
        }
        assertEquals(missed != 0, lost[0], missed + " were missed");
    }
}
