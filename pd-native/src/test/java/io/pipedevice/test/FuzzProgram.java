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

/**
 * The main loop of a process that does things wrong, round by round, in one thread or several, until its input ends. It
 * takes the commands {@code hostile} and {@code harmless}, which it answers when all rounds of the other kind are over,
 * and {@code last}, which it answers with what it did last. It is harmless when it begins. Says FAILED if it fails itself.
 */
public final class FuzzProgram {
    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;

    private final List<FrameMutator.Field> fields;
    private final StrangeFds strange;
    private final AtomicLong harmlessRounds = new AtomicLong();
    private final AtomicLong hostileRounds = new AtomicLong();
    private final List<ArrayDeque<String>> logs = new CopyOnWriteArrayList<>();
    private final AtomicInteger hostileNow = new AtomicInteger();
    private final AtomicInteger harmlessNow = new AtomicInteger();
    private volatile boolean harmless = true;

    /** One round; an exception means that the other side has ended it. */
    public interface Round {
        void play(Attack attack) throws IOException;
    }

    /** For messages that have these fields. */
    public FuzzProgram(List<FrameMutator.Field> fields, StrangeFds strange) {
        this.fields = fields;
        this.strange = strange;
    }

    /** Starts a thread that plays rounds; the number of a round makes its seed. */
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
                    Attack attack = new Attack(ofRound, quiet, fields, strange, log);
                    if (!quiet) {
                        attack.log(name + ", round " + number + ":");
                    }
                    round.play(attack);
                }
            } catch (IOException | IllegalStateException e) {
                // The other side has had enough of it, or refuses because earlier ones are still being closed.
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

    /** Takes commands until there are no more, which ends the process. */
    public void run() throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = input.readLine(); line != null; line = input.readLine()) {
            if (line.equals("last")) {
                logs.forEach(log -> Attack.kept(log).forEach(FuzzProgram::say));
                say("LAST");
            } else {
                harmless = line.equals("harmless");
                while ((harmless ? hostileNow : harmlessNow).get() > 0) {
                    Thread.onSpinWait();
                }
                say("ROUNDS " + harmlessRounds + " harmless, " + hostileRounds + " hostile");
            }
        }
        Runtime.getRuntime().halt(0);
    }
}
