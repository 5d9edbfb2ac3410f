// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * The main loop of a fuzzer, which plays rounds in one or several threads until its input ends. It answers the commands
 * {@code hostile} and {@code harmless} when all rounds of the other kind are over, and {@code last} with its last
 * mutations. It begins harmless. It prints FAILED if it fails itself.
 */
public final class FuzzProgram {
    private static final long PAUSE_NS = 1_000_000;
    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    private final List<FrameMutator.Field> fields;
    private final StrangeFds strange;
    private final AtomicLong harmlessRounds = new AtomicLong();
    private final AtomicLong hostileRounds = new AtomicLong();
    private final List<ArrayDeque<String>> logs = new CopyOnWriteArrayList<>();
    private final AttackCounts counts = new AttackCounts();
    private final AtomicInteger hostileNow = new AtomicInteger();
    private final AtomicInteger harmlessNow = new AtomicInteger();
    private volatile boolean harmless = true;

    /** Plays one round; an exception means that the other side has ended it. */
    public interface Round {
        void play(Attack attack) throws IOException;
    }

    /** Creates a program for messages with these fields. */
    public FuzzProgram(List<FrameMutator.Field> fields, StrangeFds strange) {
        this.fields = fields;
        this.strange = strange;
    }

    /** Starts a thread that plays rounds; the seed of a round depends on its number. */
    public void start(String name, long seed, Round round) {
        ArrayDeque<String> log = new ArrayDeque<>();
        logs.add(log);
        Thread.ofPlatform().daemon().name(name).start(() -> {
            try {
                play(name, seed, round, log);
            } catch (Throwable e) {
                e.printStackTrace(System.out);
                say("FAILED " + name + ": " + e);
            }
        });
    }

    private void play(String name, long seed, Round round, ArrayDeque<String> log) {
        long harmlessNumber = 0;
        for (long number = 0; ; ) {
            boolean quiet = harmless;
            AtomicInteger now = quiet ? harmlessNow : hostileNow;
            now.incrementAndGet();
            try {
                if (quiet == harmless) {
                    long ofRound = seed + GOLDEN * (quiet ? --harmlessNumber : ++number);
                    Attack attack = new Attack(ofRound, quiet, fields, strange, log, counts);
                    if (!quiet) {
                        attack.begin(name + ", round " + number + ":");
                    }
                    round.play(attack);
                }
            } catch (IOException | IllegalStateException e) {
                // The other side has ended the round, or refuses it because earlier connections are still being closed.
                Thread.onSpinWait();
            } finally {
                now.decrementAndGet();
                (quiet ? harmlessRounds : hostileRounds).incrementAndGet();
            }
        }
    }

    private static synchronized void say(String line) {
        System.out.println(line);
    }

    /** Reads commands until the end of the input, which ends the process. */
    public void run() throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            if (line.equals("last")) {
                logs.forEach(log -> Attack.kept(log).forEach(FuzzProgram::say));
                say("LAST");
            } else {
                harmless = line.equals("harmless");
                while ((harmless ? hostileNow : harmlessNow).get() > 0) {
                    LockSupport.parkNanos(PAUSE_NS);
                }
                say("ROUNDS " + harmlessRounds + " harmless, " + hostileRounds + " hostile; " + counts);
            }
        }
        Runtime.getRuntime().halt(0);
    }
}
