// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.account;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.linux.Fd;
import io.pipedevice.linux.Memory;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.protocol.LinkMemory;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkPages;
import io.pipedevice.peer.protocol.SlotSetup;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class LinkMetersTest {
    private static final long ROUND_NS = TimeUnit.SECONDS.toNanos(8);

    private final List<LinkMeter> closed = new ArrayList<>();
    private LinkMeters meters = new LinkMeters(List.of(), 0);
    private long nowNs = System.nanoTime();
    private End a;
    private End b;

    /** One end of a link, whose process shows it. */
    private static final class End implements ShownLink.Owner {
        final Account account = new Account("any", "", 0);
        final SharedRegion region = SharedRegion.create("link", LinkPages.length(), false);
        final LinkMemory memory = new LinkMemory(region.memory());
        final LinkPages pages = new LinkPages(region, region);
        final long inode = Memory.status(region.fd()).inode();
        final List<String> cuts = new ArrayList<>();
        boolean overruns;

        End() throws IOException {
            LinkPages.allocate(region, 0, LinkMemoryDescriptor.HEADER_LENGTH);
            pages.connection(0);
            SlotSetup.open(memory, 0, 1);
        }

        ShownLink link(long peer, boolean isNew) throws IOException {
            int pid = ProcessFacts.self();
            LinkMark.Key key = new LinkMark.Key(pid, ProcessFacts.startTime(pid), inode);
            return new ShownLink(key, peer, region.fd(), isNew, this);
        }

        void sent(long bytes) {
            memory.setRelease(LinkMemoryDescriptor.slot(0) + LinkMemoryDescriptor.TAIL_OFFSET, bytes);
        }

        void received(long bytes) {
            memory.setRelease(LinkMemoryDescriptor.slot(0) + LinkMemoryDescriptor.HEAD_OFFSET, bytes);
        }

        void connections(long count) {
            memory.setRelease(LinkMemoryDescriptor.CONNECTIONS_OFFSET, count);
        }

        long total(Tally tally) {
            return account.statement(0).total(tally);
        }

        @Override
        public void cut(long memoryToCut, String why) {
            assertEquals(inode, memoryToCut);
            cuts.add(why);
        }

        @Override
        public boolean hasSent(long bytes, long sinceNs, long nowNs) {
            return overruns;
        }

        @Override
        public void close(Fd fd) {
            throw new AssertionError("its owner closes it");
        }
    }

    @BeforeEach
    void create() throws IOException {
        a = new End();
        b = new End();
    }

    @AfterEach
    void close() {
        a.region.close();
        b.region.close();
    }

    private LinkMeter show(End end, End peer) throws IOException {
        return meters.show(end.link(peer.inode, true), end.account, nowNs);
    }

    private void showBoth() throws IOException {
        show(a, b);
        show(b, a);
    }

    /** A whole round. */
    private void round() {
        nowNs += ROUND_NS;
        do {
            meters.turn(nowNs, closed::add);
        } while (meters.sleepNs(nowNs) == 0);
    }

    private void assertAccount(End of, long sent, long received, long connections) {
        assertEquals(
                List.of(sent, received, connections),
                List.of(
                        of.total(Tally.DIRECT_SENT),
                        of.total(Tally.DIRECT_RECEIVED),
                        of.total(Tally.DIRECT_CONNECTIONS)));
    }

    private void assertEnded(String why) {
        assertEquals(1, a.cuts.size());
        assertTrue(a.cuts.get(0).contains(why), a.cuts.get(0));
        assertEquals(a.cuts, b.cuts);
        assertEquals(1, a.total(Tally.LINKS_ENDED));
        assertEquals(1, b.total(Tally.LINKS_ENDED));
        a.sent(1L << 50);
        round();
        assertEquals(1, a.cuts.size(), "it is ended once, and is not read any more");
    }

    @Test
    void whatALinkMovesIsCountedOnce() throws IOException {
        showBoth();
        a.connections(1);
        a.sent(100);
        b.received(60);
        round();
        round();
        a.sent(150);
        round();
        assertAccount(a, 150, 0, 1);
        assertAccount(b, 0, 60, 0);
        assertEquals(List.of(), a.cuts);
    }

    @Test
    void aLinkThatHasEndedIsReadForTheLastTime() throws IOException {
        LinkMeter meter = show(a, b);
        show(b, a);
        a.sent(100);
        meters.hide(meter);
        meters.hide(meter);
        meters.turn(nowNs, closed::add);
        assertEquals(List.of(meter), closed);
        assertAccount(a, 100, 0, 0);
        a.sent(200);
        b.sent(1);
        round();
        assertAccount(a, 100, 0, 0);
        assertAccount(b, 1, 0, 0);
        assertEquals(1, meters.marks().size());
    }

    @Test
    void roundsAreRareWhileNoDataMove() throws IOException {
        show(a, b);
        assertTrue(meters.sleepNs(nowNs) <= TimeUnit.SECONDS.toNanos(1));
        for (int i = 0; i < 5; i++) {
            round();
        }
        assertEquals(ROUND_NS, meters.sleepNs(nowNs));
        a.sent(1);
        round();
        assertEquals(TimeUnit.SECONDS.toNanos(1), meters.sleepNs(nowNs));
    }

    @Test
    void aTurnReadsAPartOfAMemoryThatClaimsManySlots() throws IOException {
        show(a, b);
        a.memory.setRelease(LinkMemoryDescriptor.USED_SLOTS_OFFSET, LinkMemoryDescriptor.MAX_CONNECTIONS);
        a.sent(9);
        nowNs += ROUND_NS;
        meters.turn(nowNs, closed::add);
        assertEquals(0, meters.sleepNs(nowNs), "there is more to read");
        assertAccount(a, 0, 0, 0);
        round();
        assertAccount(a, 9, 0, 0);
    }

    @Test
    void positionsOutOfRangeEndTheLinkAndAreNotCounted() throws IOException {
        showBoth();
        a.sent(10);
        round();
        a.sent(-1);
        round();
        assertAccount(a, 10, 0, 0);
        assertEnded("out of range");
    }

    @Test
    void moreThanAMachineMovesEndsTheLinkAndIsNotCounted() throws IOException {
        showBoth();
        a.sent(10);
        round();
        a.sent(1L << 60);
        round();
        assertAccount(a, 10, 0, 0);
        assertEnded("more than is possible");
    }

    @Test
    void tooManyConnectionsLikewise() throws IOException {
        showBoth();
        a.connections(Long.MAX_VALUE);
        round();
        assertAccount(a, 0, 0, 0);
        assertEnded("more than is possible");
    }

    @Test
    void whatWasCountedStaysCountedIfAWordFalls() throws IOException {
        show(a, b);
        a.sent(100);
        round();
        a.sent(50);
        round();
        a.sent(120);
        round();
        assertAccount(a, 120, 0, 0);
    }

    @Test
    void endsThatContradictEachOtherForLongAreEnded() throws IOException {
        showBoth();
        a.sent(10);
        b.received(11);
        round();
        round();
        assertEquals(List.of(), a.cuts);
        round();
        round();
        assertEnded("fewer bytes");
    }

    @Test
    void aTransientContradictionEndsNoLink() throws IOException {
        showBoth();
        for (int i = 1; i < 10; i++) {
            a.sent(10L * i - 1);
            b.received(10L * i);
            round();
            round();
            a.sent(10L * i);
            round();
        }
        assertEquals(List.of(), a.cuts);
        assertAccount(a, 90, 0, 0);
        assertAccount(b, 0, 90, 0);
    }

    @Test
    void anEndThatNamesAnotherMemoryIsNotTheOtherEnd() throws IOException {
        show(a, b);
        meters.show(b.link(b.inode, true), b.account, nowNs);
        b.received(11);
        for (int i = 0; i < 10; i++) {
            round();
        }
        assertEquals(List.of(), a.cuts);
    }

    @Test
    void noWordsMakeAnAccountFallOrRiseBeyondWhatIsPossible() throws IOException {
        long seed = Long.getLong("pipedevice.test.seed", System.nanoTime());
        String repeat = "-Dpipedevice.test.seed=" + seed;
        Random random = new Random(seed);
        int[] words = {
            LinkMemoryDescriptor.slot(0) + LinkMemoryDescriptor.TAIL_OFFSET,
            LinkMemoryDescriptor.slot(0) + LinkMemoryDescriptor.SENT_BEFORE_OFFSET,
            LinkMemoryDescriptor.slot(15) + LinkMemoryDescriptor.HEAD_OFFSET,
            LinkMemoryDescriptor.slot(15) + LinkMemoryDescriptor.RECEIVED_BEFORE_OFFSET,
            LinkMemoryDescriptor.USED_SLOTS_OFFSET,
            LinkMemoryDescriptor.CONNECTIONS_OFFSET
        };
        for (int link = 0; link < 200; link++) {
            LinkMeter one = show(a, b);
            LinkMeter other = show(b, a);
            for (int i = 0; i < 10; i++) {
                long sent = a.total(Tally.DIRECT_SENT);
                long received = a.total(Tally.DIRECT_RECEIVED);
                End end = random.nextBoolean() ? a : b;
                // Small numbers, which are believed, and any others.
                long value = random.nextLong() >> random.nextInt(Long.SIZE);
                end.memory.setRelease(words[random.nextInt(words.length)], value);
                round();
                long most = (1L << 41) * 10;
                assertTrue(a.total(Tally.DIRECT_SENT) - sent >= 0, repeat);
                assertTrue(a.total(Tally.DIRECT_SENT) - sent <= most, repeat);
                assertTrue(a.total(Tally.DIRECT_RECEIVED) - received >= 0, repeat);
                assertTrue(a.total(Tally.DIRECT_RECEIVED) - received <= most, repeat);
            }
            meters.hide(one);
            meters.hide(other);
            round();
        }
        assertTrue(meters.isEmpty(), repeat);
        assertEquals(List.of(), meters.marks(), repeat);
        assertTrue(a.total(Tally.LINKS_ENDED) > 0, repeat);
    }

    private void restart() {
        meters = new LinkMeters(meters.marks(), 1);
    }

    @Test
    void theNextDriverGoesOnWhereTheLastOneHasStopped() throws IOException {
        showBoth();
        a.connections(1);
        a.sent(100);
        b.received(60);
        round();
        a.sent(130);
        restart();
        restart();
        meters.show(a.link(b.inode, false), a.account, nowNs);
        round();
        assertAccount(a, 130, 0, 1);
        a.sent(140);
        round();
        assertAccount(a, 140, 0, 1);
        // The other end, later.
        b.received(70);
        meters.show(b.link(a.inode, false), b.account, nowNs);
        round();
        assertAccount(b, 0, 70, 0);
    }

    @Test
    void aMemoryThatIsShownAgainInAnotherSessionIsCountedOnce() throws IOException {
        LinkMeter first = show(a, b);
        show(b, a);
        a.sent(100);
        round();
        a.sent(110);
        meters.show(a.link(b.inode, false), a.account, nowNs);
        meters.hide(first);
        a.sent(120);
        round();
        assertAccount(a, 120, 0, 0);
        assertEquals(2, meters.marks().size());
        b.received(121);
        round();
        round();
        round();
        round();
        assertEquals(1, b.cuts.size(), "its other end is still known");
    }

    @Test
    void aLinkWithoutAMarkIsCountedFromNowOn() throws IOException {
        a.sent(1000);
        meters.show(a.link(b.inode, false), a.account, nowNs);
        assertTrue(meters.marks().isEmpty());
        round();
        a.sent(1001);
        round();
        assertAccount(a, 1, 0, 0);
    }

    @Test
    void marksOfEndedProcessesAreDropped() throws IOException {
        show(a, b);
        LinkMark mine = meters.marks().get(0);
        LinkMark.Key gone = new LinkMark.Key(mine.key().pid(), mine.key().startTime() - 1, 1);
        meters = new LinkMeters(List.of(mine, new LinkMark(gone, 1, 1, 1)), 0);
        assertEquals(List.of(mine), meters.marks());
    }

    @Test
    void theEndOfTheDriverReadsWhatHasEndedBefore() throws IOException {
        LinkMeter meter = show(a, b);
        show(b, a);
        a.sent(5);
        meters.hide(meter);
        meters.close(closed::add);
        assertEquals(List.of(meter), closed);
        assertAccount(a, 5, 0, 0);
        assertTrue(a.region.fd().isOpen());
        assertFalse(b.region.fd().isOpen());
    }

    @Test
    void allLinksOfAProcessThatSendsTooMuchAreEnded() throws IOException {
        showBoth();
        End other = new End();
        try {
            show(other, b);
            a.sent(1);
            round();
            assertEquals(List.of(), a.cuts);
            a.overruns = true;
            a.sent(1000);
            round();
            assertEquals(1, a.cuts.size());
            assertEquals(a.cuts, b.cuts);
            assertTrue(a.cuts.getFirst().contains("rate"), a.cuts.getFirst());
            assertEquals(List.of(), other.cuts);
            assertEquals(1, a.total(Tally.LINKS_ENDED));
            assertEquals(1, b.total(Tally.LINKS_ENDED));
            assertEquals(1000, a.total(Tally.DIRECT_SENT));
        } finally {
            other.region.close();
        }
    }
}
