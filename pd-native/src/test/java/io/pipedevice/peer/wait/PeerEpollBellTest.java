// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.linux.DoorbellMessage;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.wait.BlockingWait;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The bells by which peers wake an instance: full ones, strange rings, ends, and peers that know no more bells. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerEpollBellTest extends PolledSources {
    @Test
    void aBellThatWasFullMakesItLookAtEverything() throws IOException {
        WiderWait wait = open();
        List<PlayedSource> sources = new ArrayList<>();
        for (int i = 0; i < 2000; i++) {
            sources.add(new PlayedSource(source.link));
            wait.epoll.add(sources.get(i), PdEpoll.IN, null);
        }
        rest(wait);
        sources.forEach(each -> each.publish(PdEpoll.IN));
        assertTrue(source.link.peer().getAcquire(LinkMemoryDescriptor.OVERFLOW_OFFSET) > 0, "the bell was not full");
        int found = 0;
        while (found < sources.size()) {
            wait.await();
            for (int i = 0; i < wait.events.count(); i++) {
                ((PlayedSource) wait.events.source(i)).take(PdEpoll.IN);
                found++;
            }
        }
    }

    @Test
    void oneLookFindsAllThatRang() throws IOException {
        WiderWait wait = open();
        List<PlayedSource> sources = new ArrayList<>();
        // More than two receives take, and fewer than fill the bell.
        for (int i = 0; i < 3 * UnixSocket.DRAIN_LIMIT; i++) {
            sources.add(new PlayedSource(source.link));
            wait.epoll.add(sources.get(i), PdEpoll.IN, null);
        }
        rest(wait);
        sources.forEach(each -> assertTrue(each.publish(PdEpoll.IN)));
        assertEquals(0, source.link.peer().getAcquire(LinkMemoryDescriptor.OVERFLOW_OFFSET), "the bell was full");
        wait.epoll.happened(0);
        assertEquals(sources.size(), wait.epoll.look(wait.events));
    }

    @Test
    void ringsWithUnknownCookiesAreIgnored() throws IOException {
        WiderWait wait = open();
        wait.epoll.add(source, PdEpoll.IN, null);
        rest(wait);
        UnixSocket end = source.link.bell(0).ringingEnd();
        for (int cookie : new int[] {Integer.MIN_VALUE, -1, 1, 1 << 24, Integer.MAX_VALUE}) {
            DoorbellMessage.send(end.fd(), cookie);
        }
        end.ring();
        assertTrue(wait.epoll.beforeSleep(wait.events));
        wait.epoll.happened(0);
        assertEquals(0, wait.epoll.look(wait.events));
        assertTrue(source.publish(PdEpoll.IN));
        assertEquals(1, wait.await());
    }

    @Test
    void aBellThatAPeerHasEndedIsReplaced() throws IOException {
        WiderWait wait = open();
        wait.epoll.add(source, PdEpoll.IN, null);
        rest(wait);
        source.link.bell(0).ringingEnd().shutdown(true, true);
        assertFalse(source.publish(PdEpoll.IN) && source.link.rings > 1);
        assertEquals(1, wait.await());
        source.take(PdEpoll.IN);
        rest(wait);
        assertEquals(1, PeerArmWord.bell(source.armWord(PdEpoll.IN)));
        assertTrue(source.publish(PdEpoll.IN));
        assertEquals(1, wait.await());
    }

    @Test
    void theDispatcherReplacesABellThatCannotBeAnnounced() throws IOException {
        source.link.numberOf(Dispatcher.bell());
        source.link.mostBells = 1;
        WiderWait wait = open();
        wait.epoll.add(source, PdEpoll.IN, null);
        rest(wait);
        assertTrue(source.publish(PdEpoll.IN));
        assertEquals(1, wait.await());
    }

    @Test
    void aSourceThatCannotBeArmedLimitsTheSleep() throws IOException {
        source.link.mostBells = 0;
        WiderWait wait = open();
        wait.epoll.add(source, PdEpoll.IN, null);
        assertEquals(0, wait.epoll.look(wait.events));
        assertTrue(wait.epoll.beforeSleep(wait.events));
        assertEquals(BlockingWait.UNHEARD_NS, wait.epoll.mostSleepNanos());
        wait.epoll.afterSleep();
        assertFalse(source.publish(PdEpoll.IN));
        assertEquals(1, wait.await());
    }
}
