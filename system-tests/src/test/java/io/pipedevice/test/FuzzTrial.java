// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.test;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A victim, a bystander that it serves, and a fuzzer that is harmless and hostile by turns. Asserts that the victim
 * stays alive, that the bystander's latency beside the hostile fuzzer is within bounds of that beside the harmless one,
 * and that the victim holds no more resources afterwards than before.
 */
public final class FuzzTrial {
    /** The running time of the fuzzers, and so that of a test without the start of processes. */
    public static final int SECONDS = Integer.getInteger("pipedevice.test.fuzz.seconds", 10);

    private static final int MOST_SECONDS_OF_A_ROUND = 60;

    /** What each of the two processes may use, with the memory that it shares with the other one or a fuzzer. */
    private static final long MOST_MEMORY = 400L << 20;

    /** The number of turns; each is harmless for one part of its time and hostile for two. */
    private static final int TURNS = 3;

    /** Rounds that follow while latencies are out of bounds: a machine that does other things may cause that once. */
    private static final int MORE_ROUNDS = 2;

    private static final int MOST_TIMES = 5;

    /** A latency that many processes on two processors cause without any attack. */
    private static final long FLOOR_MICROS = 50_000;

    /** With fewer measurements, the 99.9th percentile is a single one. */
    private static final long FEWEST_MEASURED = 1000;

    private static final long PATIENCE_S = 60;
    private static final long WARM_UP_MS = 1000;
    private static final long LOOK_MS = 50;

    /** More than the time after which idle threads end. */
    private static final long UNCHANGED_MS = 1200;

    /**
     * The C library gives threads memory from an area each, of up to eight for a processor, and keeps each as large as
     * it ever was: for an hour that looks like a leak.
     */
    private static final List<String> ONE_AREA = List.of("env", "MALLOC_ARENA_MAX=1");

    private final ChildJvm victim;
    private final ChildJvm bystander;
    private final Look look;
    private List<ChildJvm> fuzzers = List.of();
    private long seed;

    /** Counts the resources that the victim holds. */
    public interface Look {
        Holdings at(ChildJvm victim) throws IOException;
    }

    /**
     * Starts a fuzzer and the processes that it needs; the fuzzer is the first of the result. The trial closes all of
     * them.
     */
    public interface Starter {
        List<ChildJvm> start(long seed) throws IOException;
    }

    /** Creates a trial of processes that the caller closes. */
    public FuzzTrial(ChildJvm victim, ChildJvm bystander, Look look) {
        this.victim = victim;
        this.bystander = bystander;
        this.look = look;
    }

    /**
     * Options of a victim's JVM: failures are reported on its output, and no files of a crash stay on the disk. All
     * pages of the heap are resident from the start, so that only other memory makes {@link Holdings#ownKb} grow.
     */
    public static List<String> flags() {
        return List.of(
                "-ea",
                "-Xcheck:jni",
                "-XX:+ErrorFileToStdout",
                "-XX:-CreateCoredumpOnCrash",
                "-Xms64m",
                "-Xmx64m",
                "-XX:+AlwaysPreTouch");
    }

    /** A test with a command for the victim and one for the bystander, which put each of them into its group. */
    public interface Grouped {
        void run(List<String> ofVictim, List<String> ofBystander) throws Exception;
    }

    /**
     * Runs a test whose processes have a limit of memory each, without the limits where no control group can be made.
     */
    public static void withGroups(Grouped test) throws Exception {
        try (MemoryGroup victims = MemoryGroup.possible(MOST_MEMORY);
                MemoryGroup bystanders = MemoryGroup.possible(MOST_MEMORY)) {
            List<String> ofVictim = new ArrayList<>(wrapper(victims));
            ofVictim.addAll(ONE_AREA);
            test.run(ofVictim, wrapper(bystanders));
            if (victims != null) {
                System.out.println("most memory of the victim: " + (victims.most() >> 20) + " MB of "
                        + (MOST_MEMORY >> 20) + ", of the bystander: " + (bystanders.most() >> 20));
            }
        }
    }

    private static List<String> wrapper(MemoryGroup group) {
        return group == null ? List.of() : group.wrapper();
    }

    /** Runs fuzzers, one after the other, for the configured time. */
    public void run(long firstSeed, Starter starter) throws Exception {
        Holdings before = settled(firstSeed, starter);
        String details = Holdings.describe(victim.pid());
        int rounds = (SECONDS + MOST_SECONDS_OF_A_ROUND - 1) / MOST_SECONDS_OF_A_ROUND;
        boolean fair = false;
        for (int i = 0; i < rounds || (!fair && i < rounds + MORE_ROUNDS); i++) {
            seed = firstSeed + i;
            System.out.println(
                    "-Dpipedevice.test.seed=" + seed + " -Dpipedevice.test.fuzz.seconds=" + SECONDS / rounds);
            fuzzers = starter.start(seed);
            try {
                fuzz(TimeUnit.SECONDS.toMillis(SECONDS) / rounds / TURNS / 3);
            } finally {
                fuzzers.forEach(ChildJvm::close);
            }
            bystander.send(Bystander.REST);
            awaitNoMoreThan(before, details);
            bystander.send("again");
            bystander.expect("AGAIN");
            fair = i >= rounds - 1 && isFair();
        }
        assertTrue(fair, () -> "the bystander had to wait; last seed " + seed);
    }

    /** The victim's resources after it has served a harmless fuzzer, with those that it keeps for later use. */
    private Holdings settled(long firstSeed, Starter starter) throws Exception {
        seed = firstSeed;
        fuzzers = starter.start(seed);
        try {
            turn("harmless", Bystander.NONE, WARM_UP_MS);
        } finally {
            fuzzers.forEach(ChildJvm::close);
        }
        assertTrue(
                victim.said().stream()
                        .noneMatch(line -> line.contains(" is given up") || line.contains(" breaks the ")),
                () -> "seed " + seed + ": the harmless fuzzer is none: " + victim.said());
        bystander.send(Bystander.REST);
        Holdings least = look.at(victim);
        long lessNs = System.nanoTime();
        // The victim goes on to connect to fuzzers that have ended, so that a descriptor comes and goes.
        while (System.nanoTime() - lessNs < TimeUnit.MILLISECONDS.toNanos(UNCHANGED_MS)) {
            Thread.sleep(LOOK_MS);
            Holdings before = least;
            least = before.least(look.at(victim));
            if (least.descriptors() < before.descriptors() || least.threads() < before.threads()) {
                lessNs = System.nanoTime();
            }
        }
        return least;
    }

    private void fuzz(long partMillis) throws Exception {
        for (int i = 0; i < TURNS; i++) {
            turn("harmless", "harmless", partMillis);
            turn("hostile", "hostile", 2 * partMillis);
        }
        fuzzers.getFirst().send("harmless");
        System.out.println("rounds: " + fuzzers.getFirst().expect("ROUNDS"));
    }

    private void turn(String ofFuzzer, String ofBystander, long millis) throws Exception {
        fuzzers.getFirst().send(ofFuzzer);
        fuzzers.getFirst().expect("ROUNDS");
        bystander.send(ofBystander);
        long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (System.nanoTime() - end < 0) {
            Thread.sleep(LOOK_MS);
            assertNothingFailed();
        }
        bystander.send(Bystander.NONE);
    }

    private void assertNothingFailed() throws IOException {
        List<ChildJvm> all = new ArrayList<>(fuzzers);
        all.add(victim);
        all.add(bystander);
        for (ChildJvm each : all) {
            if (!each.isAlive() || each.hasSaid("FAILED")) {
                throw new AssertionError(
                        "process " + each.pid() + " with seed " + seed + " said " + each.said() + "; last: " + last());
            }
        }
    }

    /** The last mutations of the fuzzer. */
    private List<String> last() throws IOException {
        ChildJvm fuzzer = fuzzers.getFirst();
        if (!fuzzer.isAlive()) {
            return List.of("the fuzzer has ended");
        }
        int before = fuzzer.said().size();
        fuzzer.send("last");
        fuzzer.expect("LAST");
        List<String> said = fuzzer.said();
        return said.subList(Math.min(before, said.size()), said.size());
    }

    private void awaitNoMoreThan(Holdings before, String details) throws Exception {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_S);
        Holdings now = look.at(victim);
        while (!now.isWithin(before)) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("seed " + seed + ": the victim held " + before + ", and holds " + now
                        + "; then " + details + ", now " + Holdings.describe(victim.pid()) + "; threads: "
                        + threads());
            }
            Thread.sleep(LOOK_MS);
            now = look.at(victim);
        }
        System.out.println("held before: " + before + ", after: " + now);
    }

    /** The stacks of the victim's threads. */
    private List<String> threads() throws IOException {
        int before = victim.said().size();
        victim.signal("QUIT");
        victim.expect("JNI global refs");
        List<String> said = victim.said();
        return said.subList(before, said.size());
    }

    /** Whether all latencies so far are within bounds. Prints them. */
    private boolean isFair() throws IOException {
        int before = bystander.said().size();
        bystander.send("report");
        bystander.expect("REPORTED");
        Map<String, Long> high = new TreeMap<>();
        Map<String, Long> counts = new TreeMap<>();
        List<String> said = bystander.said();
        for (String line : said.subList(before, said.size())) {
            if (line.startsWith("MEASURED")) {
                String[] parts = line.split(" ", -1);
                high.put(parts[1] + " " + parts[2], Long.parseLong(parts[6]));
                counts.merge(parts[1], Long.parseLong(parts[3]), Math::min);
                System.out.println(parts[1] + " beside a " + parts[2] + " fuzzer: " + parts[3] + " times, p50 "
                        + parts[4] + " us, p99 " + parts[5] + ", p99.9 " + parts[6] + ", longest " + parts[7]);
            }
        }
        said.stream()
                .filter(line -> line.startsWith("SERVED"))
                .reduce((one, last) -> last)
                .ifPresent(System.out::println);
        return Stream.of("message", "connection")
                .allMatch(what -> counts.get(what) < FEWEST_MEASURED
                        || high.get(what + " hostile")
                                <= Math.max(MOST_TIMES * high.get(what + " harmless"), FLOOR_MICROS));
    }
}
