// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
final class FunctionReportTest {
    private final FunctionFigures figures = new FunctionFigures();

    @TempDir
    private Path directory;

    @Test
    void aFileOfFiguresHasAllRunsAndTheirMedianIsReported() throws IOException {
        FunctionFigures.Key key = rate(FunctionPlace.HOST, 32);
        figures.add(key, 3);
        figures.add(key, 1);
        figures.add(key, 7);
        Path file = directory.resolve("functions.csv");
        figures.save(file);
        FunctionFigures loaded = new FunctionFigures();
        loaded.load(file);
        loaded.add(key, 8);
        assertEquals(5, loaded.get(key).orElseThrow());
        assertEquals(4, loaded.runs());
        assertTrue(loaded.get(rate(FunctionPlace.HOST, 1)).isEmpty());
        Files.writeString(file, "something else\n");
        assertThrows(IOException.class, () -> loaded.load(file));
    }

    @Test
    void ratesAreComparedWithThoseOfTcp() {
        figures.add(rate(FunctionPlace.HOST, 32), 500_000);
        figures.add(rate(FunctionPlace.TCP, 32), 100_000);
        String line = line(new FunctionReport(figures).text(Map.of()), "host");
        assertTrue(line.matches("host +- +- +- +- +500000 .* 5 .*"), line);
    }

    @Test
    void aSlowedPlaceHasARowAndTwoPlots() {
        for (int window = 0; window < 30; window++) {
            figures.add(
                    ShiftPart.key(FunctionPlace.HOST, FunctionPlace.AUTO, window, ShiftPart.P99),
                    window / 10 == 1 ? 900 : 40);
            figures.add(
                    ShiftPart.key(FunctionPlace.HOST, FunctionPlace.AUTO, window, ShiftPart.SHARE + FunctionPlace.HOST),
                    window / 10 == 1 ? 0.25 : 1);
        }
        figures.add(new ShiftWindows(figures, FunctionPlace.HOST, FunctionPlace.AUTO).recoveryKey(), 70);
        FunctionReport report = new FunctionReport(figures);
        String line = line(report.text(Map.of()), "host:");
        assertTrue(line.matches("host: calls are steered +40, 900, 40 +70 +0, 0, 0 +0, 0, 0 +100, 25, 100"), line);
        assertEquals(2, report.html(Map.of()).split("<polyline", -1).length - 1);
    }

    @Test
    void aPlaceHasRecoveredWhenItsTimesStayAsBefore() {
        double[] p99 = new double[90];
        Arrays.fill(p99, 40);
        assertEquals(0, ShiftPart.recovery(p99, 30));
        Arrays.fill(p99, 30, 37, 5000);
        p99[39] = 5000;
        assertEquals(100, ShiftPart.recovery(p99, 30));
        Arrays.fill(p99, 30, 60, 5000);
        assertEquals(-1, ShiftPart.recovery(p99, 30));
    }

    private static FunctionFigures.Key rate(FunctionPlace place, int outstanding) {
        return LoadPart.key(LoadPart.CLOSED, Application.TREE_GET, place, Integer.toString(outstanding), LoadPart.RATE);
    }

    private static String line(String text, String name) {
        return text.lines()
                .filter(line -> line.startsWith(name + " "))
                .findFirst()
                .orElseThrow();
    }
}
