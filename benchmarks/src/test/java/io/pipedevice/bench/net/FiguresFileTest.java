// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FiguresFileTest {
    private static final List<LocalTransport> TRANSPORTS = List.of(LocalTransport.values());

    @TempDir
    private Path directory;

    private Path path;
    private FiguresFile file;
    private final Figures figures = new Figures();
    private final Figures more = new Figures();

    @BeforeEach
    void name() {
        path = directory.resolve("figures.csv");
        file = new FiguresFile(path, "1 s, 2 idle");
    }

    private void add(Row row, double... runs) {
        for (double value : runs) {
            figures.add(row, LocalTransport.TCP, Map.of(Metric.MESSAGES, value));
        }
    }

    private double median(Row row) {
        return more.median(row, LocalTransport.TCP, Metric.MESSAGES).orElse(Double.NaN);
    }

    @Test
    void figuresOfEarlierCallsAreRead() throws IOException {
        add(Row.STREAM_64, 5, 1e9);
        figures.addMoved(3);
        file.save(figures);
        file.loadIfExists(more, TRANSPORTS);
        more.add(Row.STREAM_64, LocalTransport.TCP, Map.of(Metric.MESSAGES, 7.0));
        more.addMoved(4);
        assertEquals(3, more.runs());
        assertEquals(7, median(Row.STREAM_64));
        assertEquals(7, more.moved());
    }

    @Test
    void noFileIsNoFigure() throws IOException {
        file.loadIfExists(more, TRANSPORTS);
        assertEquals(0, more.runs());
    }

    @Test
    void rowThatFailedIsNotWritten() throws IOException {
        add(Row.STREAM_64, 5, 6);
        add(Row.STREAM_1K, 8);
        figures.fail(Row.STREAM_64, LocalTransport.TCP, "not accelerated");
        file.save(figures);
        file.loadIfExists(more, TRANSPORTS);
        assertEquals(Double.NaN, median(Row.STREAM_64));
        assertEquals(8, median(Row.STREAM_1K));
    }

    @Test
    void figuresOfOtherSettingsAreRefused() throws IOException {
        add(Row.STREAM_64, 5);
        file.save(figures);
        FiguresFile other = new FiguresFile(path, "0.5 s");
        IOException refused = assertThrows(IOException.class, () -> other.loadIfExists(more, TRANSPORTS));
        assertTrue(
                refused.getMessage().contains("other settings (1 s, 2 idle) than this call (0.5 s)"),
                refused::getMessage);
        Files.writeString(path, "row,transport,metric,runs\n");
        refused = assertThrows(IOException.class, () -> file.loadIfExists(more, TRANSPORTS));
        assertTrue(refused.getMessage().contains("other settings (unknown)"), refused::getMessage);
        assertEquals(0, more.runs());
    }

    @Test
    void fileOfAnythingElseIsRefusedWithItsLine() throws IOException {
        String first = "settings,1 s, 2 idle\n";
        String head = "row,transport,metric,runs\n";
        for (String line :
                List.of("STREAM_64,TCP,MESSAGES", "STREAM_64,NONE,MESSAGES,1", "STREAM_64,TCP,MESSAGES,x", "")) {
            requireRefused(first + "bytes,0\n" + head + line + "\n", "line 4");
        }
        requireRefused(first + "bytes,0\nrow\n", "line 3");
        requireRefused(first + head, "line 2");
        requireRefused(first + "12345,6\n", "line 2");
    }

    private void requireRefused(String content, String line) throws IOException {
        Files.writeString(path, content);
        IOException refused = assertThrows(IOException.class, () -> file.loadIfExists(more, TRANSPORTS));
        assertTrue(refused.getMessage().contains(line), refused::getMessage);
    }
}
