// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Programs see the same on connections through rings as on the JDK's own: the same random plans are played on both
 * providers, and every result, exception and byte is compared.
 */
@Timeout(value = 3, unit = TimeUnit.HOURS)
class RandomComparisonTest {
    private static final int SECONDS_OF_A_BUILD = 15;
    private static final int SECONDS = Integer.getInteger("pipedevice.test.random.seconds", SECONDS_OF_A_BUILD);

    /** A build plays the same plans each time, so that only a change makes it fail; a longer run plays new ones. */
    private static final boolean IS_BUILD =
            SECONDS <= SECONDS_OF_A_BUILD && Long.getLong("pipedevice.test.seed") == null;

    private static final long SEED = IS_BUILD ? 1 : Long.getLong("pipedevice.test.seed", System.nanoTime());
    private static final long GAMES = IS_BUILD ? 300 : Long.MAX_VALUE;

    /** The kernel's connections between namespaces take longer, and the games are of the same kinds. */
    private static final long DIRECT_GAMES = IS_BUILD ? 40 : Long.MAX_VALUE;

    /** The games of sockets of java.net have steps of the same kinds as those of channels. */
    private static final long SOCKET_GAMES = IS_BUILD ? 60 : Long.MAX_VALUE;

    private static final int THREADS = 3;

    /** Longer than the time limit of a step that hangs. */
    private static final int PATIENCE_S = 900;

    @Test
    void bothEndsInOneProcess() throws Exception {
        compare(THREADS, Pairing.PIPEDEVICE, false, () -> Theatre.inThisProcess(Pairing.PIPEDEVICE));
    }

    @Test
    void eachEndInAProcessOfItsOwn() throws Exception {
        compare(1, Pairing.PIPEDEVICE, false, () -> Theatre.inTwoProcesses(Pairing.PIPEDEVICE));
    }

    @Test
    void bothEndsInNamespacesOfOneProcess() throws Exception {
        requireDirect();
        compare(THREADS, Pairing.PIPEDEVICE_DIRECT, false, () -> Theatre.inThisProcess(Pairing.PIPEDEVICE_DIRECT));
    }

    @Test
    void eachEndInANamespaceAndAProcessOfItsOwn() throws Exception {
        requireDirect();
        compare(1, Pairing.PIPEDEVICE_DIRECT, false, () -> Theatre.inTwoProcesses(Pairing.PIPEDEVICE_DIRECT));
    }

    @Test
    void socketsWithBothEndsInOneProcess() throws Exception {
        compare(THREADS, Pairing.PIPEDEVICE, true, () -> Theatre.inThisProcess(Pairing.PIPEDEVICE));
    }

    @Test
    void socketsWithEachEndInAProcessOfItsOwn() throws Exception {
        compare(1, Pairing.PIPEDEVICE, true, () -> Theatre.inTwoProcesses(Pairing.PIPEDEVICE));
    }

    @Test
    void socketsWithEachEndInANamespaceAndAProcessOfItsOwn() throws Exception {
        requireDirect();
        compare(1, Pairing.PIPEDEVICE_DIRECT, true, () -> Theatre.inTwoProcesses(Pairing.PIPEDEVICE_DIRECT));
    }

    private static long games(Pairing rings, boolean sockets) {
        long most = sockets ? SOCKET_GAMES : GAMES;
        return rings == Pairing.PIPEDEVICE_DIRECT ? Math.min(most, DIRECT_GAMES) : most;
    }

    private static void requireDirect() {
        String why = Pairing.PIPEDEVICE_DIRECT.whyNot();
        assumeTrue(why == null, why);
    }

    private static void compare(int threads, Pairing rings, boolean sockets, Callable<Theatre> theatres)
            throws Exception {
        System.out.println("-Dpipedevice.test.seed=" + SEED + " -Dpipedevice.test.random.seconds=" + SECONDS);
        AtomicLong seed = new AtomicLong(SEED);
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(SECONDS);
        List<Task<Comparison>> tasks = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            tasks.add(new Task<>(ThreadKind.PLATFORM, () -> {
                try (Theatre theatre = theatres.call()) {
                    Comparison comparison = new Comparison(theatre, rings, sockets);
                    do {
                        comparison.compare(seed.getAndIncrement());
                    } while (System.nanoTime() < end && seed.get() - SEED < games(rings, sockets));
                    return comparison;
                }
            }));
        }
        int games = 0;
        AssertionError differences = null;
        for (Task<Comparison> task : tasks) {
            try {
                Comparison comparison = task.resultWithin(SECONDS + PATIENCE_S);
                System.out.println(comparison);
                games += comparison.games();
            } catch (AssertionError e) {
                differences = alsoSaying(differences, e);
            }
        }
        if (differences != null) {
            throw differences;
        }
        assertTrue(games > 0);
        long onRings = LocalPlayer.ON_RINGS.sum();
        long all = LocalPlayer.CONNECTIONS.sum();
        System.out.println(games + " games, " + all + " connections, " + onRings + " on rings");
    }

    /** Combines the failures, because each thread may have found a different one. */
    private static AssertionError alsoSaying(AssertionError first, AssertionError next) {
        if (first == null) {
            return next;
        }
        first.addSuppressed(next);
        return first;
    }
}
