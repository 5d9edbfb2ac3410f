// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.bpf.Program;
import io.pipedevice.active.message.MessageRun.State;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.time.Duration;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A message that stops, and goes on in another run, compiled or not, ends as one that runs through. */
class SuspensionTest {
    private static final int SECONDS = Integer.getInteger("pipedevice.test.random.seconds", 1);
    private static final long SEED = Long.getLong("pipedevice.test.seed", System.nanoTime());
    private static final long FUEL = 5000;

    /** A run that does not end fails. */
    private static final Duration ENDLESS = Duration.ofSeconds(60L + SECONDS);

    /** The current seed; written by the thread that runs programs. */
    private volatile long seed;

    private final MemorySegment state = Arena.ofAuto().allocate(8192, 8);
    private int stops;

    @Test
    void aMessageThatStopsEndsAsOneThatRunsThrough() {
        assertTimeoutPreemptively(ENDLESS, this::runAll, () -> "-Dpipedevice.test.seed=" + seed);
    }

    private void runAll() throws Exception {
        System.out.println("messages that stop: -Dpipedevice.test.seed=" + SEED);
        int functions = 0;
        int ended = 0;
        long end = System.nanoTime() + SECONDS * 1_000_000_000L;
        for (; functions < 20 || System.nanoTime() < end; functions++) {
            seed = SEED + functions;
            ended += compare(seed);
        }
        System.out.println("messages that stop: " + functions + " functions, " + ended + " ended, " + stops + " stops");
        assertTrue(ended > functions / 2, "too few functions end");
        assertTrue(stops > functions, "too few functions stop");
    }

    private int compare(long seed) throws Exception {
        Random random = new Random(seed);
        String message = "-Dpipedevice.test.seed=" + seed;
        try {
            Program program = RandomFunction.of(random);
            long fuel = random.nextInt(4) == 0 ? 1 + random.nextInt(500) : FUEL;
            MessageFunction compiled = MessageFunction.of(program, 64, 2, fuel);
            MessageFunction interpreted = MessageFunction.interpreted(program, 64, 2, fuel);
            String expected = through(interpreted);
            assertEquals(expected, through(compiled), message);
            for (int i = 0; i < 3; i++) {
                assertEquals(expected, stopping(random, compiled, interpreted), message);
            }
            return expected.startsWith("ENDED") ? 1 : 0;
        } catch (Exception e) {
            throw new AssertionError(message, e);
        }
    }

    private static void fill(MemorySegment bytes) {
        for (int i = 0; i < bytes.byteSize(); i++) {
            bytes.set(ValueLayout.JAVA_BYTE, i, (byte) (i * 41));
        }
    }

    private static String through(MessageFunction function) {
        LocalRegions regions = LocalRegions.of(2, 64);
        MessageRun run = new MessageRun(function);
        fill(run.message());
        run.begin();
        return end(run, run.run(regions, FUEL), regions);
    }

    private String stopping(Random random, MessageFunction compiled, MessageFunction interpreted) throws Exception {
        LocalRegions local = LocalRegions.of(2, 64);
        LocalRegions regions = new LocalRegions(operation -> random.nextInt(3) > 0, local.region(0), local.region(1));
        int most = random.nextBoolean() ? 200 : (int) FUEL;
        MessageRun[] runs = {
            new MessageRun(compiled), new MessageRun(compiled), new MessageRun(interpreted), new MessageRun(compiled)
        };
        MessageRun run = runs[0];
        fill(run.message());
        run.begin();
        State progress = run.run(regions, random.nextInt(most));
        while (progress == State.WAITS || progress == State.PAUSED) {
            stops++;
            if (random.nextBoolean()) {
                run = move(progress, run, runs[random.nextInt(runs.length)]);
            }
            if (progress == State.WAITS) {
                regions.complete(run.operation());
            }
            progress = run.run(regions, random.nextInt(most));
        }
        return end(run, progress, regions);
    }

    private MessageRun move(State progress, MessageRun from, MessageRun to) throws InvalidStateException {
        state.fill((byte) 0x55);
        int length = from.save(state, 8);
        assertEquals(0x55, state.get(ValueLayout.JAVA_BYTE, 8 + length));
        if (from != to) {
            to.message().copyFrom(from.message());
            // what remains of it is of no use
            from.message().fill((byte) 0x77);
        }
        assertEquals(progress, to.load(state, 8, length));
        return to;
    }

    private static String end(MessageRun run, State progress, LocalRegions regions) {
        StringBuilder text = new StringBuilder(progress.toString());
        if (progress == State.ENDED) {
            text.append(' ').append(run.result()).append(" after ").append(run.used());
        } else {
            text.append(' ').append(run.status()).append(' ').append(run.fault());
        }
        for (MemorySegment each : new MemorySegment[] {run.message(), regions.region(0), regions.region(1)}) {
            text.append('\n').append(HexFormat.of().formatHex(each.toArray(ValueLayout.JAVA_BYTE)));
        }
        return text.toString();
    }
}
