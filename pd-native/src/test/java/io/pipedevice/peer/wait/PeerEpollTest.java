// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdEvents;
import io.pipedevice.lib.SpinMode;
import io.pipedevice.peer.protocol.PeerArmWord;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerEpollTest extends PolledSources {
    private static final int ROUNDS = 5_000;
    private static final int MANY = 10_000;

    @Test
    void whatIsReadyIsReportedAsLongAsItIs() throws IOException {
        WiderWait wait = open();
        Object attachment = new Object();
        wait.epoll.add(source, PdEpoll.IN, attachment);
        source.publish(PdEpoll.OUT);
        assertEquals(0, wait.epoll.look(wait.events));
        source.publish(PdEpoll.IN);
        for (int i = 0; i < MANY_LOOKS; i++) {
            assertEquals(1, wait.await());
            assertSame(source, wait.events.source(0));
            assertSame(attachment, wait.events.attachment(0));
            assertEquals(PdEpoll.IN, wait.events.events(0));
        }
        source.take(PdEpoll.IN);
        assertEquals(0, wait.epoll.look(wait.events));
        assertEquals(0, source.link.rings);
    }

    @ParameterizedTest
    @ValueSource(ints = {PdEpoll.IN, PdEpoll.OUT})
    void aRingWakesTheSleeper(int direction) throws IOException {
        WiderWait wait = open();
        wait.epoll.add(source, direction, null);
        rest(wait);
        assertTrue(wait.epoll.beforeSleep(wait.events));
        assertTrue(source.publish(direction));
        assertFalse(source.publish(direction), "one ring is enough");
        assertEquals(1, wait.await());
        assertEquals(direction, wait.events.events(0));
        assertEquals(PeerArmWord.DISARMED, source.armWord(direction));
    }

    @Test
    void bothDirectionsAreArmedAndBothAreLookedAt() throws IOException {
        WiderWait wait = open();
        wait.epoll.add(source, PdEpoll.IN | PdEpoll.OUT, null);
        rest(wait);
        assertTrue(source.publish(PdEpoll.OUT));
        assertTrue(source.publish(PdEpoll.IN));
        assertEquals(1, wait.await());
        assertEquals(PdEpoll.IN | PdEpoll.OUT, wait.events.events(0));
    }

    @Test
    void aChangeOfInterestIsLookedAt() throws IOException {
        WiderWait wait = open();
        wait.epoll.add(source, PdEpoll.OUT, null);
        rest(wait);
        source.publish(PdEpoll.IN);
        assertEquals(0, wait.epoll.look(wait.events));
        wait.epoll.modify(source, PdEpoll.IN);
        assertTrue(wait.epoll.isLikelyReady());
        assertEquals(1, wait.await());
        wait.epoll.modify(source, 0);
        rest(wait);
    }

    @Test
    void aChangeByAnotherThreadWakesTheSleeper() throws Exception {
        WiderWait wait = open();
        wait.epoll.add(source, 0, null);
        rest(wait);
        source.publish(PdEpoll.IN);
        FutureTask<Integer> sleeping = new FutureTask<>(wait::await);
        Thread.ofPlatform().start(sleeping);
        assertFalse(sleeping.isDone());
        wait.epoll.modify(source, PdEpoll.IN);
        assertEquals(1, sleeping.get());
    }

    @Test
    void whatIsDiscardedIsReportedAndArmedNoMore() throws IOException {
        WiderWait wait = open();
        wait.epoll.add(source, PdEpoll.IN, null);
        rest(wait);
        assertTrue(wait.epoll.discard(source));
        assertFalse(wait.epoll.discard(source));
        assertFalse(source.publish(PdEpoll.IN), "armed");
        assertEquals(0, wait.epoll.look(wait.events));
        assertThrows(IllegalStateException.class, () -> wait.epoll.modify(source, PdEpoll.IN));
        wait.epoll.add(source, PdEpoll.IN, null);
        assertEquals(1, wait.await());
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whatIsClosedLeaves(boolean quiet) throws IOException {
        WiderWait wait = open();
        wait.epoll.add(source, PdEpoll.IN, null);
        if (quiet) {
            rest(wait);
        }
        source.publish(PdEpoll.IN);
        source.close();
        assertEquals(0, wait.epoll.look(wait.events));
        assertFalse(wait.epoll.wasActive());
        assertFalse(wait.epoll.discard(source));
        assertThrows(IllegalStateException.class, () -> wait.epoll.add(source, PdEpoll.IN, null));
    }

    /** The source is not armed yet, so that its close wakes no thread. */
    @Test
    void whatIsClosedAfterTheLookThatFoundItOpenLeaves() throws IOException {
        WiderWait wait = open();
        wait.epoll.add(source, PdEpoll.IN, null);
        assertEquals(0, wait.epoll.look(wait.events));
        source.whenLookedAt = source::close;
        wait.epoll.beforeSleep(wait.events);
        wait.epoll.afterSleep();
        assertEquals(0, wait.events.count());
        assertFalse(wait.epoll.hasQuiet());
        assertFalse(wait.epoll.discard(source));
    }

    @Test
    void aSourceThatClosesDuringTheSpinEndsIt() throws IOException {
        WiderWait wait = open(SpinMode.ADAPTIVE);
        wait.epoll.add(source, PdEpoll.IN, null);
        assertEquals(0, wait.epoll.look(wait.events));
        source.whenAsked = () -> {
            source.close();
            throw new IllegalStateException("its memory is gone");
        };
        assertTrue(wait.epoll.spin(() -> false));
        assertEquals(0, wait.epoll.look(wait.events));
        assertFalse(wait.epoll.discard(source));
    }

    @Test
    void anExceptionOfAnOpenSourceIsThrown() throws IOException {
        WiderWait wait = open(SpinMode.ADAPTIVE);
        wait.epoll.add(source, PdEpoll.IN, null);
        assertEquals(0, wait.epoll.look(wait.events));
        IllegalStateException wrong = new IllegalStateException("something else");
        source.whenAsked = () -> {
            throw wrong;
        };
        assertSame(wrong, assertThrows(IllegalStateException.class, () -> wait.epoll.spin(() -> false)));
    }

    @Test
    void theClosedInstanceArmsNothing() throws IOException {
        WiderWait wait = open();
        wait.epoll.add(source, PdEpoll.IN, null);
        rest(wait);
        wait.epoll.close();
        assertFalse(source.publish(PdEpoll.IN));
        assertThrows(IllegalStateException.class, () -> wait.epoll.add(source, PdEpoll.IN, null));
    }

    @Test
    void quietSourcesAreNotLookedAt() throws IOException {
        WiderWait wait = open();
        PlayedLink link = new PlayedLink();
        List<PlayedSource> quiet = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            quiet.add(new PlayedSource(link));
            wait.epoll.add(quiet.get(i), PdEpoll.IN, i);
        }
        wait.epoll.add(source, PdEpoll.IN, null);
        rest(wait);
        int before = quiet.stream().mapToInt(each -> each.looks.get()).sum();
        source.publish(PdEpoll.IN);
        for (int i = 0; i < MANY_LOOKS; i++) {
            assertEquals(1, wait.await());
        }
        assertEquals(before, quiet.stream().mapToInt(each -> each.looks.get()).sum());
        source.take(PdEpoll.IN);
        rest(wait);
        quiet.get(MANY / 2).publish(PdEpoll.IN);
        assertEquals(1, wait.await());
        assertEquals(MANY / 2, wait.events.attachment(0));
    }

    @Test
    void sourcesThatAreAlwaysReadyDoNotHideTheQuiet() throws IOException {
        WiderWait wait = open();
        wait.epoll.add(source, PdEpoll.IN, "quiet");
        rest(wait);
        PlayedSource busy = new PlayedSource();
        busy.publish(PdEpoll.IN);
        wait.epoll.add(busy, PdEpoll.IN, "busy");
        source.publish(PdEpoll.IN);
        while (wait.epoll.look(wait.events) == 1) {
            assertEquals("busy", wait.events.attachment(0));
        }
        assertEquals(2, wait.events.count());
    }

    @Test
    void everybodyHasATurnWhereOneLookCannotReportAll() throws IOException {
        WiderWait wait = open();
        boolean[] reported = new boolean[20];
        for (int i = 0; i < reported.length; i++) {
            PlayedSource each = new PlayedSource(source.link);
            each.publish(PdEpoll.IN);
            wait.epoll.add(each, PdEpoll.IN, i);
        }
        PdEvents few = new PdEvents(3);
        for (int i = 0; i < 7; i++) {
            assertEquals(3, wait.epoll.look(few));
            for (int j = 0; j < 3; j++) {
                reported[(int) few.attachment(j)] = true;
            }
        }
        for (boolean each : reported) {
            assertTrue(each);
        }
    }

    @Test
    void twoInstancesWatchOneSource() throws IOException {
        WiderWait one = open();
        WiderWait two = open();
        one.epoll.add(source, PdEpoll.IN, null);
        two.epoll.add(source, PdEpoll.IN, null);
        rest(one);
        rest(two);
        assertTrue(source.publish(PdEpoll.IN));
        assertEquals(1, one.await());
        assertEquals(1, two.await());
        source.take(PdEpoll.IN);
        rest(one);
        // For the other instance the source is active, so that only the first is armed.
        assertTrue(source.publish(PdEpoll.IN));
        assertEquals(1, one.await());
        assertEquals(1, two.await());
    }

    @Test
    void spinModeAlwaysNeverSleepsWhileThereIsASource() throws IOException {
        WiderWait wait = open(SpinMode.ALWAYS);
        wait.epoll.add(source, PdEpoll.IN, null);
        for (int i = 0; i < MANY_LOOKS; i++) {
            assertEquals(0, wait.epoll.look(wait.events));
            assertFalse(wait.epoll.beforeSleep(wait.events));
            wait.epoll.afterSleep();
        }
        assertFalse(source.publish(PdEpoll.IN), "it was armed");
        assertEquals(1, wait.await());
        wait.epoll.discard(source);
        assertEquals(0, wait.epoll.look(wait.events));
        assertTrue(wait.epoll.beforeSleep(wait.events), "there is no source to look at");
    }

    @Test
    void itSpinsOnlyWhileSomethingIsActive() throws IOException {
        WiderWait wait = open(SpinMode.ADAPTIVE);
        wait.epoll.add(source, PdEpoll.IN, null);
        assertFalse(wait.epoll.spin(() -> true), "nothing was active");
        assertEquals(0, wait.epoll.look(wait.events));
        assertTrue(wait.epoll.spin(() -> true));
        assertFalse(wait.epoll.spin(() -> false));
        source.publish(PdEpoll.IN);
        assertTrue(wait.epoll.spin(() -> false));
    }

    @ParameterizedTest
    @EnumSource(SpinMode.class)
    void noWakeUpIsLost(SpinMode mode) throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        WiderWait wait = open(mode);
        WiderWait second = open(SpinMode.NEVER);
        PlayedLink link = new PlayedLink();
        PlayedSource[] sources = new PlayedSource[8];
        PlayedSource[] back = new PlayedSource[sources.length];
        for (int i = 0; i < sources.length; i++) {
            sources[i] = new PlayedSource(link);
            back[i] = new PlayedSource(link);
            wait.epoll.add(sources[i], i % 2 == 0 ? PdEpoll.IN : PdEpoll.OUT, i);
            if (i % 4 == 0) {
                second.epoll.add(sources[i], PdEpoll.IN, i);
            }
        }
        FutureTask<Void> echo = new FutureTask<>(() -> echo(wait, back), null);
        Thread.ofPlatform().start(echo);
        SplittableRandom random = new SplittableRandom(seed);
        int[] sent = new int[sources.length];
        for (int round = 0; round < ROUNDS; round++) {
            int i = random.nextInt(sources.length);
            sources[i].publish(i % 2 == 0 ? PdEpoll.IN : PdEpoll.OUT);
            sent[i]++;
            PeerWait answer = new PeerWait(back[i], PdEpoll.IN, mode);
            assertTrue(answer.await(30_000_000_000L), "lost in round " + round);
            back[i].take(PdEpoll.IN);
            if (random.nextInt(16) == 0) {
                second.epoll.look(second.events);
                second.epoll.beforeSleep(second.events);
                second.epoll.afterSleep();
            }
        }
        back[0] = null;
        sources[0].publish(PdEpoll.IN);
        echo.get();
    }

    /** Answers until the source to answer to is null. */
    private static void echo(WiderWait wait, PlayedSource[] back) {
        try {
            while (true) {
                wait.await();
                for (int i = 0; i < wait.events.count(); i++) {
                    int number = (int) wait.events.attachment(i);
                    ((PlayedSource) wait.events.source(i)).take(wait.events.events(i));
                    if (back[number] == null) {
                        return;
                    }
                    back[number].publish(PdEpoll.IN);
                }
            }
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
