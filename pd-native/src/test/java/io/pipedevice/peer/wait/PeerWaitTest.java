// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.wait;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.lib.PdEpoll;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.SpinMode;
import io.pipedevice.linux.Errno;
import io.pipedevice.peer.protocol.PeerArmWord;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class PeerWaitTest {
    private static final long FOREVER = Long.MAX_VALUE;
    private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);
    private static final int ROUNDS = 5_000;

    private final PlayedSource source = new PlayedSource();

    /** Arguments: kind of thread, direction, timeout. */
    static Stream<Arguments> kinds() {
        return Stream.of(Thread.ofPlatform(), Thread.ofVirtual())
                .flatMap(kind -> Stream.of(PdEpoll.IN, PdEpoll.OUT)
                        .flatMap(direction ->
                                Stream.of(FOREVER, MINUTE_NS).map(timeout -> Arguments.of(kind, direction, timeout))));
    }

    private static PeerWait sleeper(PlayedSource source, int direction) {
        return new PeerWait(source, direction, SpinMode.NEVER);
    }

    private static <T> FutureTask<T> start(Thread.Builder kind, Callable<T> work) {
        FutureTask<T> task = new FutureTask<>(work);
        kind.start(task);
        return task;
    }

    private void awaitArmed(int direction) {
        while (source.armWord(direction) == PeerArmWord.DISARMED) {
            Thread.onSpinWait();
        }
    }

    @Test
    void readinessBeforeAWaitEndsItAtOnce() throws PdException {
        source.publish(PdEpoll.IN);
        assertTrue(sleeper(source, PdEpoll.IN).await(0));
        assertTrue(sleeper(source, PdEpoll.IN).await(FOREVER));
        assertEquals(0, source.link.rings);
    }

    @Test
    void aWaitEndsAfterItsTime() throws PdException {
        long start = System.nanoTime();
        assertFalse(sleeper(source, PdEpoll.IN).await(0));
        assertFalse(sleeper(source, PdEpoll.OUT).await(TimeUnit.MILLISECONDS.toNanos(20)));
        assertTrue(System.nanoTime() - start >= TimeUnit.MILLISECONDS.toNanos(20));
        assertEquals(PeerArmWord.DISARMED, source.armWord(PdEpoll.OUT));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aNotificationWakesASleepingThread(Thread.Builder kind, int direction, long timeout) throws Exception {
        PeerWait wait = sleeper(source, direction);
        FutureTask<Boolean> sleeping = start(kind, () -> wait.await(timeout));
        awaitArmed(direction);
        // This does not ring if the sleeper has found it by its look after arming, and has disarmed.
        source.publish(direction);
        assertTrue(sleeping.get());
        assertEquals(PeerArmWord.DISARMED, source.armWord(direction));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void endOfWaitsWakesASleepingThreadAndFailsLaterWaits(Thread.Builder kind, int direction, long timeout)
            throws Exception {
        PeerWait wait = sleeper(source, direction);
        FutureTask<Boolean> sleeping = start(kind, () -> wait.await(timeout));
        awaitArmed(direction);
        source.endWaits();
        ExecutionException e = assertThrows(ExecutionException.class, sleeping::get);
        assertEquals(Errno.EBADF, ((PdException) e.getCause()).errno());
        assertEquals(PeerArmWord.DISARMED, source.armWord(direction));
        PdException again = assertThrows(PdException.class, () -> wait.await(timeout));
        assertEquals(Errno.EBADF, again.errno());
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void interruptIsKeptButEndsNothing(Thread.Builder kind, int direction, long timeout) throws Exception {
        PeerWait wait = sleeper(source, direction);
        FutureTask<Boolean> sleeping = new FutureTask<>(
                () -> wait.await(timeout) && Thread.currentThread().isInterrupted());
        Thread thread = kind.start(sleeping);
        awaitArmed(direction);
        thread.interrupt();
        assertFalse(sleeping.isDone());
        source.publish(direction);
        assertTrue(sleeping.get());
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void theDispatcherReplacesABellThatCannotBeAnnounced(Thread.Builder kind, int direction, long timeout)
            throws Exception {
        assertEquals(PeerArmWord.DISPATCHER, source.link.numberOf(Dispatcher.bell()));
        source.link.mostBells = 1;
        aNotificationWakesASleepingThread(kind, direction, timeout);
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aBellThatAPeerHasEndedIsReplaced(Thread.Builder kind, int direction, long timeout) throws Exception {
        PeerWait wait = sleeper(source, direction);
        FutureTask<Boolean> sleeping = start(kind, () -> wait.await(timeout));
        awaitArmed(direction);
        source.link.bell(0).ringingEnd().shutdown(true, true);
        while (PeerArmWord.bell(source.armWord(direction)) != 1) {
            Thread.onSpinWait();
        }
        // As above: the look of the sleeper may be first.
        source.publish(direction);
        assertTrue(sleeping.get());
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void aThreadWithoutABellPollsPeriodically(Thread.Builder kind, int direction, long timeout) throws Exception {
        source.link.mostBells = 0;
        PeerWait wait = sleeper(source, direction);
        FutureTask<Boolean> sleeping = start(kind, () -> wait.await(timeout));
        while (source.looks.get() < 5) {
            Thread.onSpinWait();
        }
        assertFalse(source.publish(direction));
        assertTrue(sleeping.get());
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void noWakeUpIsLost(Thread.Builder kind, int direction, long timeout) throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        PlayedSource back = new PlayedSource();
        SpinMode spin = SpinMode.ADAPTIVE;
        PeerWait there = new PeerWait(source, direction, spin);
        PeerWait here = sleeper(back, direction);
        FutureTask<Boolean> echo = start(kind, () -> {
            SplittableRandom random = new SplittableRandom(seed);
            for (int i = 0; i < ROUNDS; i++) {
                there.await(timeout);
                source.take(direction);
                delay(random);
                back.publish(direction);
            }
            return true;
        });
        SplittableRandom random = new SplittableRandom(~seed);
        for (int i = 0; i < ROUNDS; i++) {
            delay(random);
            source.publish(direction);
            assertTrue(here.await(MINUTE_NS), "lost in round " + i);
            back.take(direction);
        }
        assertTrue(echo.get());
    }

    private static void delay(SplittableRandom random) {
        for (int i = random.nextInt(4) == 0 ? random.nextInt(2000) : 0; i > 0; i--) {
            Thread.onSpinWait();
        }
    }

    @Test
    void spinningForbiddenIsOneLookBeforeItIsArmed() throws Exception {
        assertFalse(sleeper(source, PdEpoll.IN).await(1));
        // One look replaces the spin, and the other follows the arming.
        assertEquals(2, source.looks.get());
    }

    @Test
    void spinModeAlwaysIsNeverRung() throws Exception {
        SpinMode spin = SpinMode.ALWAYS;
        PeerWait wait = new PeerWait(source, PdEpoll.IN, spin);
        FutureTask<Boolean> spinning = start(Thread.ofPlatform(), () -> wait.await(FOREVER));
        while (source.looks.get() < 10_000) {
            Thread.onSpinWait();
        }
        assertFalse(source.publish(PdEpoll.IN));
        assertTrue(spinning.get());
    }
}
