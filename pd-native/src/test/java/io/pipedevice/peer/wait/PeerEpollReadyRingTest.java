// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.protocol.ReadySetDescriptor;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Peers tell an instance in memory which sources are ready. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerEpollReadyRingTest extends PolledSources {
    @Test
    void peersNotifyAnAwakeInstanceInMemory() throws IOException {
        WiderWait wait = open();
        PlayedLink link = PlayedLink.withReadyRings();
        List<PlayedSource> sources = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            sources.add(new PlayedSource(link));
            wait.epoll.add(sources.get(i), PdEpoll.IN, null);
        }
        rest(wait);
        for (PlayedSource each : sources) {
            assertTrue(each.publish(PdEpoll.IN));
            assertTrue(wait.epoll.isLikelyReady());
            assertEquals(1, wait.epoll.look(wait.events));
            assertSame(each, wait.events.source(0));
            each.take(PdEpoll.IN);
        }
        assertEquals(0, link.rings);
        assertFalse(wait.epoll.hasQuiet(), "each is found in memory");
    }

    @Test
    void aSourceThatIsRemovedHidesNoAnnouncement() throws IOException {
        WiderWait wait = open();
        PlayedLink link = PlayedLink.withReadyRings();
        PlayedSource quiet = new PlayedSource(link);
        wait.epoll.add(quiet, PdEpoll.IN, null);
        rest(wait);
        for (int removed = 0; removed < 100; removed++) {
            PlayedSource busy = addBusy(wait, link);
            removal(removed, wait, busy).run();
            quiet.publish(PdEpoll.IN);
            assertEquals(1, wait.epoll.look(wait.events), "removed " + removed);
            assertSame(quiet, wait.events.source(0));
            quiet.take(PdEpoll.IN);
            rest(wait);
        }
    }

    private static PlayedSource addBusy(WiderWait wait, PlayedLink link) throws IOException {
        PlayedSource busy = new PlayedSource(link);
        busy.publish(PdEpoll.IN);
        wait.epoll.add(busy, PdEpoll.IN, null);
        assertEquals(1, wait.epoll.look(wait.events));
        assertSame(busy, wait.events.source(0));
        return busy;
    }

    /** The ways in which a source leaves an instance, in turn. */
    private static Runnable removal(int number, WiderWait wait, PlayedSource busy) {
        return switch (number % 3) {
            case 0 -> () -> wait.epoll.discard(busy);
            case 1 -> busy::close;
            default ->
                () -> {
                    busy.close();
                    wait.epoll.discard(busy);
                };
        };
    }

    /**
     * One thread removes an active source, publishes at a quiet one and records that; the other one looks all the time.
     */
    @Test
    void aSourceThatAnotherThreadRemovesHidesNoAnnouncement() throws Exception {
        WiderWait wait = open();
        PlayedLink link = PlayedLink.withReadyRings();
        PlayedSource quiet = new PlayedSource(link);
        wait.epoll.add(quiet, PdEpoll.IN, null);
        for (int i = 0; i < 1000; i++) {
            rest(wait);
            PlayedSource busy = addBusy(wait, link);
            AtomicBoolean published = new AtomicBoolean();
            Thread other = Thread.ofPlatform().start(() -> {
                wait.epoll.discard(busy);
                quiet.publish(PdEpoll.IN);
                published.set(true);
            });
            boolean isFound = false;
            boolean mustBeFound;
            do {
                mustBeFound = published.get();
                wait.epoll.look(wait.events);
                for (int event = 0; event < wait.events.count(); event++) {
                    isFound |= quiet.equals(wait.events.source(event));
                }
            } while (!mustBeFound);
            assertTrue(isFound, "round " + i);
            quiet.take(PdEpoll.IN);
            other.join();
        }
    }

    @Test
    void oneRingEndsASleep() throws Exception {
        WiderWait wait = open();
        PlayedLink link = PlayedLink.withReadyRings();
        List<PlayedSource> sources = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            sources.add(new PlayedSource(link));
            wait.epoll.add(sources.get(i), PdEpoll.IN, null);
        }
        for (int round = 1; round <= 3; round++) {
            rest(wait);
            wait.sleepDuring(() -> sources.forEach(each -> each.publish(PdEpoll.IN)));
            assertEquals(round, link.rings);
            assertEquals(sources.size(), wait.epoll.look(wait.events));
            sources.forEach(each -> each.take(PdEpoll.IN));
        }
    }

    @Test
    void aReadyRingThatWasFullMakesItLookAtItsPeersSourcesAlone() throws IOException {
        WiderWait wait = open();
        PlayedLink link = PlayedLink.withReadyRings();
        PlayedSource others = new PlayedSource(PlayedLink.withReadyRings());
        wait.epoll.add(others, PdEpoll.IN, null);
        List<PlayedSource> sources = new ArrayList<>();
        for (int i = 0; i < 3 * ReadySetDescriptor.ENTRIES; i++) {
            sources.add(new PlayedSource(link));
            wait.epoll.add(sources.get(i), PdEpoll.IN, null);
        }
        rest(wait);
        int looks = others.looks.getPlain();
        sources.forEach(each -> each.publish(PdEpoll.IN));
        assertEquals(sources.size(), wait.epoll.look(wait.events));
        assertEquals(looks, others.looks.getPlain());
        assertEquals(0, link.rings);
    }

    @Test
    void aPeerNamesItsOwnSourcesOnly() throws IOException {
        WiderWait wait = open();
        PlayedLink strangers = PlayedLink.withReadyRings();
        PlayedSource strange = new PlayedSource(strangers);
        PlayedSource honest = new PlayedSource(PlayedLink.withReadyRings());
        wait.epoll.add(strange, PdEpoll.IN, null);
        wait.epoll.add(honest, PdEpoll.IN, null);
        rest(wait);
        int looks = honest.looks.getPlain();
        int bell = PeerArmWord.bell(strange.armWord(PdEpoll.IN));
        for (int cookie = 0; cookie < 20; cookie++) {
            assertEquals(ReadyWriter.Announcement.ENOUGH, strangers.announce(PeerArmWord.of(bell, 1, cookie)));
        }
        assertEquals(
                ReadyWriter.Announcement.ENOUGH, strangers.announce(PeerArmWord.of(bell, 1, PeerArmWord.MAX_COOKIE)));
        assertEquals(0, wait.epoll.look(wait.events));
        assertEquals(looks, honest.looks.getPlain());
    }

    @Test
    void aBellThatAPeerHasEndedTakesItsReadyRingAlong() throws IOException {
        WiderWait wait = open();
        PlayedLink link = PlayedLink.withReadyRings();
        PlayedSource one = new PlayedSource(link);
        wait.epoll.add(one, PdEpoll.IN, null);
        rest(wait);
        link.bell(0).ringingEnd().shutdown(true, true);
        assertTrue(wait.epoll.beforeSleep(wait.events));
        wait.epoll.happened(0);
        wait.epoll.afterSleep();
        rest(wait);
        assertEquals(1, PeerArmWord.bell(one.armWord(PdEpoll.IN)));
        assertTrue(one.publish(PdEpoll.IN));
        assertEquals(1, wait.epoll.look(wait.events));
        assertEquals(0, link.rings);
    }
}
