// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.program.StormingProgram;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.Holdings;
import java.io.IOException;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One end of connections between namespaces is killed, or any process stopped, at random moments of their meetings: of
 * the first ones, which the driver makes, and of later ones, for which the two need no driver. The other end sees what
 * it would see on TCP, goes on, and gets its descriptors, mappings and threads back.
 */
@Timeout(value = 3600, unit = TimeUnit.SECONDS)
class MeetingKillsTest extends NamespacesFixture {
    private static final int ROUNDS = Integer.getInteger("pipedevice.test.meeting.kills", 4);
    private static final long SEED = Long.getLong("pipedevice.test.seed", System.nanoTime());
    private static final int THREADS = 3;
    private static final int SERVER = 1;
    private static final int CLIENT = 2;
    private static final int FAITHFUL = 3;

    /** The first meeting of a JVM takes about as long as this. */
    private static final long FIRST_MS = 400;

    private static final long LATER_MS = 20;
    private static final long PATIENCE_S = 20;

    /** Regions of rings that are kept for the next connections. */
    private static final int KEPT = 12;

    private final Random random = new Random(SEED);

    /** What a program says of itself. */
    private record Report(long exchanges, long onRings, int busy, String failures) {
        static Report of(String line) {
            String[] words = line.split(" ", 4);
            return new Report(Long.parseLong(words[0]), Long.parseLong(words[1]), Integer.parseInt(words[2]), words[3]);
        }
    }

    @BeforeEach
    void begin() throws IOException {
        System.out.println("-Dpipedevice.test.seed=" + SEED);
        startDriver();
    }

    private ChildJvm program(int number) throws IOException {
        return station(number, startIn(List.of("unshare", "-n")));
    }

    /** A program in a namespace that the wrapper enters. */
    private ChildJvm startIn(List<String> wrapper) throws IOException {
        // As by default: a stopped process must not hold the others up for longer.
        List<String> flags = accelerated("-Dpipedevice.handshake.millis=1000");
        ChildJvm child = keep(ChildJvm.start(wrapper, flags, StormingProgram.class));
        child.expect("STARTED");
        return child;
    }

    /** A namespace that stays when its programs are killed. */
    private List<String> house(int number) throws IOException {
        ChildJvm keeper = holder();
        station(number, keeper);
        return List.of("nsenter", "-t", Long.toString(keeper.pid()), "-n");
    }

    private static Report report(ChildJvm child, String command) throws IOException {
        return Report.of(say(child, command));
    }

    private static Report await(ChildJvm child, String command, Predicate<Report> condition) throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        Report now = report(child, command);
        while (!condition.test(now)) {
            assertTrue(System.nanoTime() < until, now.toString());
            TimeUnit.MILLISECONDS.sleep(5);
            now = report(child, command);
        }
        assertEquals("[]", now.failures());
        return now;
    }

    /**
     * A probe goes through rings, at the latest when the program has stopped to take the destination for an outer one.
     */
    private static void awaitRings(ChildJvm client, int server) throws Exception {
        Report before = report(client, "count");
        await(client, probe(server), now -> now.onRings() > before.onRings());
    }

    private static String probe(int server) {
        return "probe " + address(server) + " " + PORT;
    }

    private static String storm(int server) {
        return "storm " + address(server) + " " + PORT + " " + THREADS;
    }

    /** At first a moment of the first meeting, in later rounds also one of the meetings by the link. */
    private void pause(ChildJvm storming, int round) throws Exception {
        if (round % 2 == 1) {
            await(storming, "count", now -> now.onRings() > 2 * THREADS);
        }
        TimeUnit.MICROSECONDS.sleep(
                random.nextLong(TimeUnit.MILLISECONDS.toMicros(round % 2 == 1 ? LATER_MS : FIRST_MS)));
    }

    private static void kill(ChildJvm child) throws InterruptedException {
        child.kill();
        assertTrue(child.exits(10));
    }

    private static void awaitNoMoreThan(Holdings before, ChildJvm child) throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        Holdings now = Holdings.of(child.pid());
        while (now.descriptors() > before.descriptors() + KEPT || now.mappings() > before.mappings() + KEPT) {
            assertTrue(System.nanoTime() < until, before + " before, now " + now);
            TimeUnit.MILLISECONDS.sleep(20);
            now = Holdings.of(child.pid());
        }
    }

    @Test
    void aClientIsKilled() throws Exception {
        ChildJvm server = program(SERVER);
        report(server, "listen 0.0.0.0 " + PORT);
        List<String> house = house(CLIENT);
        ChildJvm faithful = program(FAITHFUL);
        awaitRings(faithful, SERVER);
        Holdings before = Holdings.of(server.pid());
        for (int round = 0; round < ROUNDS; round++) {
            ChildJvm victim = startIn(house);
            report(victim, storm(SERVER));
            pause(victim, round);
            kill(victim);
            awaitRings(faithful, SERVER);
            await(server, "count", now -> now.busy() == 0);
        }
        awaitNoMoreThan(before, server);
    }

    @Test
    void aServerIsKilled() throws Exception {
        List<String> house = house(SERVER);
        ChildJvm client = program(CLIENT);
        Holdings before = null;
        for (int round = 0; round < ROUNDS; round++) {
            ChildJvm victim = startIn(house);
            report(victim, "listen 0.0.0.0 " + PORT);
            if (round == 1) {
                awaitRings(client, SERVER);
                before = Holdings.of(client.pid());
            }
            report(client, storm(SERVER));
            pause(client, round);
            kill(victim);
            report(client, "calm");
            await(client, "count", now -> now.busy() == 0);
        }
        ChildJvm server = startIn(house);
        report(server, "listen 0.0.0.0 " + PORT);
        awaitRings(client, SERVER);
        awaitNoMoreThan(before, client);
    }

    /** What is held goes on by the kernel; afterwards there are rings again. */
    @Test
    void anyProcessIsStopped() throws Exception {
        ChildJvm server = program(SERVER);
        report(server, "listen 0.0.0.0 " + PORT);
        ChildJvm client = program(CLIENT);
        ChildJvm faithful = program(FAITHFUL);
        // A program that finds a driver which does not answer tries again after half a minute.
        awaitRings(client, SERVER);
        awaitRings(faithful, SERVER);
        for (int round = 0; round < ROUNDS; round++) {
            for (ChildJvm victim : List.of(driver, client, server)) {
                report(client, storm(SERVER));
                pause(client, round);
                victim.signal("STOP");
                if (!victim.equals(server)) {
                    // The server serves another program meanwhile.
                    long exchanges = report(faithful, "count").exchanges();
                    await(faithful, probe(SERVER), now -> now.exchanges() > exchanges);
                }
                victim.signal("CONT");
                report(client, "calm");
                await(client, "count", now -> now.busy() == 0);
                await(server, "count", now -> now.busy() == 0);
                awaitRings(client, SERVER);
                awaitRings(faithful, SERVER);
            }
        }
    }
}
