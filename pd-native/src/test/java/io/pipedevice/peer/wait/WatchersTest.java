// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.linux.DoorbellMessage;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.peer.protocol.PeerArmWord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WatchersTest {
    private static final int COOKIE = 5;

    private final PlayedSource source = new PlayedSource();
    private final List<PlayedWatcher> watchers = new ArrayList<>();

    @AfterEach
    void close() {
        source.endWaits();
        watchers.forEach(each -> each.bell.close());
    }

    private static final class PlayedWatcher implements Watcher {
        final Bell bell;
        final AtomicInteger wakeUps = new AtomicInteger();
        final CountDownLatch woken = new CountDownLatch(1);
        volatile boolean gone;

        PlayedWatcher() throws IOException {
            bell = Bell.open();
        }

        @Override
        public Bell bell() {
            return bell;
        }

        @Override
        public int cookie() {
            return COOKIE;
        }

        @Override
        public void wake() {
            wakeUps.incrementAndGet();
            woken.countDown();
        }

        @Override
        public boolean isGone() {
            return gone;
        }

        /** The cookies with which its bell was rung. */
        List<Integer> cookies() {
            List<Integer> cookies = new ArrayList<>();
            assertTrue(bell.drain(cookies::add));
            return cookies;
        }
    }

    private PlayedWatcher watcher() throws IOException {
        PlayedWatcher watcher = new PlayedWatcher();
        watchers.add(watcher);
        return watcher;
    }

    @Test
    void aSingleWatcherReceivesItsOwnBell() throws IOException {
        PlayedWatcher one = watcher();
        assertTrue(source.watchers.arm(PdEpoll.IN, one));
        assertTrue(source.publish(PdEpoll.IN));
        assertEquals(List.of(COOKIE), one.cookies());
        assertEquals(0, one.wakeUps.get());
        assertFalse(source.publish(PdEpoll.IN), "rung once for an arming");
        assertTrue(source.watchers.arm(PdEpoll.IN, one));
        assertTrue(source.publish(PdEpoll.IN), "rung again for the next");
    }

    @Test
    void severalAreAllWokenByTheDispatcher() throws Exception {
        PlayedWatcher one = watcher();
        PlayedWatcher two = watcher();
        PlayedWatcher three = watcher();
        source.watchers.arm(PdEpoll.IN, one);
        source.watchers.arm(PdEpoll.IN, two);
        source.watchers.arm(PdEpoll.IN, three);
        source.watchers.disarm(PdEpoll.IN, one);
        assertTrue(source.publish(PdEpoll.IN));
        two.woken.await();
        three.woken.await();
        assertEquals(0, one.wakeUps.get());
        source.watchers.disarm(PdEpoll.IN, two);
        assertNotEquals(PeerArmWord.DISARMED, source.armWord(PdEpoll.IN));
        source.watchers.disarm(PdEpoll.IN, three);
        assertEquals(PeerArmWord.DISARMED, source.armWord(PdEpoll.IN));
    }

    @Test
    void directionsAreApart() throws IOException {
        PlayedWatcher reader = watcher();
        PlayedWatcher writer = watcher();
        source.watchers.arm(PdEpoll.IN, reader);
        source.watchers.arm(PdEpoll.OUT, writer);
        assertTrue(source.publish(PdEpoll.OUT));
        assertEquals(List.of(), reader.cookies());
        assertEquals(List.of(COOKIE), writer.cookies());
        source.watchers.wake(PdEpoll.IN);
        assertEquals(1, reader.wakeUps.get());
        assertEquals(0, writer.wakeUps.get());
    }

    @Test
    void aLocalWakeUpReachesAllWatchers() throws IOException {
        PlayedWatcher reader = watcher();
        PlayedWatcher writer = watcher();
        PlayedWatcher second = watcher();
        source.watchers.arm(PdEpoll.IN, reader);
        source.watchers.arm(PdEpoll.IN, second);
        source.watchers.arm(PdEpoll.OUT, writer);
        source.watchers.wake();
        watchers.forEach(each -> assertEquals(1, each.wakeUps.get()));
    }

    @Test
    void aWatcherThatIsGoneIsNotArmed() throws IOException {
        PlayedWatcher one = watcher();
        one.gone = true;
        assertTrue(source.watchers.arm(PdEpoll.IN, one));
        assertEquals(PeerArmWord.DISARMED, source.armWord(PdEpoll.IN));
    }

    @Test
    void theEndTouchesTheWordsForTheLastTime() throws IOException {
        PlayedWatcher one = watcher();
        PlayedWatcher two = watcher();
        source.watchers.arm(PdEpoll.IN, one);
        source.watchers.arm(PdEpoll.IN, two);
        source.watchers.arm(PdEpoll.OUT, two);
        source.endWaits();
        assertEquals(PeerArmWord.DISARMED, source.armWord(PdEpoll.IN));
        assertEquals(PeerArmWord.DISARMED, source.armWord(PdEpoll.OUT));
        assertEquals(1, one.wakeUps.get());
        // An arm word of the next connection.
        source.arm(PdEpoll.IN, one.bell, 1, COOKIE);
        long others = source.armWord(PdEpoll.IN);
        source.watchers.disarm(PdEpoll.IN, one);
        source.watchers.disarm(PdEpoll.IN, two);
        source.watchers.arm(PdEpoll.IN, one);
        source.endWaits();
        assertEquals(others, source.armWord(PdEpoll.IN));
    }

    @Test
    void theDispatcherIgnoresUnknownCookies() throws Exception {
        PlayedWatcher one = watcher();
        PlayedWatcher two = watcher();
        source.watchers.arm(PdEpoll.OUT, one);
        source.watchers.arm(PdEpoll.OUT, two);
        UnixSocket end = Dispatcher.bell().ringingEnd();
        for (int cookie : new int[] {Integer.MIN_VALUE, -1, 1 << 24, Integer.MAX_VALUE}) {
            DoorbellMessage.send(end.fd(), cookie);
        }
        end.ring();
        assertTrue(source.publish(PdEpoll.OUT));
        one.woken.await();
        two.woken.await();
    }

    @Test
    void aFullBellOfTheDispatcherWakesAllWatchers() throws Exception {
        List<PlayedSource> sources = new ArrayList<>();
        PlayedWatcher one = watcher();
        PlayedWatcher two = watcher();
        for (int i = 0; i < 2000; i++) {
            PlayedSource each = new PlayedSource(source.link);
            sources.add(each);
            each.watchers.arm(PdEpoll.IN, one);
            each.watchers.arm(PdEpoll.IN, two);
        }
        sources.forEach(each -> each.publish(PdEpoll.IN));
        while (one.wakeUps.get() < sources.size() || two.wakeUps.get() < sources.size()) {
            Thread.onSpinWait();
        }
        sources.forEach(PlayedSource::endWaits);
    }

    @Test
    void aDispatchersBellThatAPeerHasEndedIsReplaced() throws Exception {
        PlayedWatcher one = watcher();
        PlayedWatcher two = watcher();
        source.watchers.arm(PdEpoll.IN, one);
        source.watchers.arm(PdEpoll.IN, two);
        Bell before = Dispatcher.bell();
        before.ringingEnd().shutdown(true, true);
        two.woken.await();
        assertNotEquals(before, Dispatcher.bell());
        source.watchers.arm(PdEpoll.IN, one);
        assertTrue(source.publish(PdEpoll.IN));
        while (two.wakeUps.get() < 2) {
            Thread.onSpinWait();
        }
    }
}
