// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.driver.Threading;
import java.io.File;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Real processes, and short measurements. */
@Timeout(300)
class LegTest {
    private static final CoreOptions OPTIONS = new CoreOptions(
            List.of(),
            List.of(64, 65536, 3 << 20, 4 << 20),
            List.of(Phase.values()),
            2,
            1,
            100,
            200,
            0,
            Threading.SHARED,
            false);

    private Set<String> filesBefore;

    @BeforeEach
    void lookAround() {
        filesBefore = files();
    }

    @AfterEach
    void nothingIsLeftBehind() {
        assertEquals(List.of(), workers());
        // Another benchmark of this machine may have ended meanwhile.
        Set<String> left = files();
        left.removeAll(filesBefore);
        assertEquals(Set.of(), left);
    }

    @Test
    void tcpMovesMessagesOfAllSizes() throws Exception {
        measureAll(Subject.TCP);
    }

    @Test
    void pipeDeviceMovesMessagesOfAllSizes() throws Exception {
        measureAll(Subject.EMULATOR);
    }

    @Test
    void roundTripLongerThanTheMeasurementCounts() throws Exception {
        CoreOptions noTime = new CoreOptions(
                OPTIONS.subjects(), OPTIONS.sizes(), OPTIONS.phases(), 1, 1, 20, 0, 0, Threading.SHARED, false);
        try (Leg leg = Leg.start(Subject.TCP, noTime)) {
            for (int i = 0; i < 10; i++) {
                assertTrue(leg.pingPong(4 << 20).getTotalCount() > 0);
            }
        }
    }

    private static void measureAll(Subject subject) throws IOException, InterruptedException {
        try (Leg leg = Leg.start(subject, OPTIONS)) {
            try {
                measureAll(subject, leg);
            } catch (IOException e) {
                printStacks();
                throw e;
            }
        }
    }

    private static void measureAll(Subject subject, Leg leg) throws IOException, InterruptedException {
        for (int size : OPTIONS.sizes()) {
            for (Phase phase : new Phase[] {Phase.UNTOUCHED, Phase.TOUCHED}) {
                Stream stream = leg.stream(phase, size);
                assertTrue(stream.gbPerSecond() > 0, stream::toString);
                assertEquals(subject.isDevice() ? 3 : 2, stream.cpuPerGb().size(), stream::toString);
            }
            Histogram histogram = leg.pingPong(size);
            assertTrue(histogram.getTotalCount() > 0 && histogram.getMinValue() > 0, histogram::toString);
        }
        LegFacts facts = leg.facts();
        if (subject.isDevice()) {
            assertEquals("dma-emulator", facts.device().name());
            assertTrue(0 < facts.device().copied(), facts::toString);
        }
        assertTrue(0 < facts.summed() && facts.summed() < facts.counted(), facts::toString);
    }

    /** Prints where the processes are that do not answer. */
    private static void printStacks() throws IOException, InterruptedException {
        for (long pid : workers()) {
            new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "jcmd")
                                    .toString(),
                            Long.toString(pid),
                            "Thread.print")
                    .inheritIO()
                    .start()
                    .waitFor();
        }
    }

    @Test
    void processThatDiesIsNamedAndTheOthersEnd() throws Exception {
        try (Leg leg = Leg.start(Subject.TCP, OPTIONS)) {
            workers().stream()
                    .map(ProcessHandle::of)
                    .forEach(process -> process.orElseThrow().destroyForcibly());
            IOException failure = assertThrows(IOException.class, () -> leg.stream(Phase.UNTOUCHED, 64));
            assertTrue(failure.getMessage().contains("the server process"), failure::getMessage);
        }
    }

    private static List<Long> workers() {
        return ProcessHandle.current()
                .children()
                .filter(ProcessHandle::isAlive)
                .map(ProcessHandle::pid)
                .toList();
    }

    private static Set<String> files() {
        String[] names = new File(System.getProperty("java.io.tmpdir")).list();
        return java.util.Arrays.stream(names)
                .filter(name -> name.startsWith("pipedevice-bench-"))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
