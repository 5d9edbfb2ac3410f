// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A file of figures. Its first lines are the settings with which they were measured and the bytes that have arrived;
 * then there is a line for each row, transport and metric, with the figure of each run. If a run of a row failed, all
 * its figures on that transport are left out, because nothing in the file would say that it failed.
 */
public final class FiguresFile {
    private static final String SEPARATOR = ",";
    private static final String SETTINGS = "settings" + SEPARATOR;
    private static final String BYTES = "bytes" + SEPARATOR;
    private static final String HEAD = "row,transport,metric,runs";
    private static final int FIRST_FIGURE = 3;

    private final Path file;
    private final String settings;

    /**
     * Names a file.
     *
     * @param file to read and write
     * @param settings of this call, one line
     */
    public FiguresFile(Path file, String settings) {
        this.file = file;
        this.settings = settings;
    }

    /**
     * Writes figures.
     *
     * @param figures all of them, with those of earlier calls
     * @throws IOException if that fails
     */
    public void save(Figures figures) throws IOException {
        List<String> lines = new ArrayList<>(List.of(SETTINGS + settings, BYTES + figures.moved(), HEAD));
        figures.forEach((row, transport, metric, runs) -> lines.add(String.join(
                SEPARATOR,
                row.name(),
                transport.name(),
                metric.name(),
                runs.stream().map(String::valueOf).collect(Collectors.joining(SEPARATOR)))));
        Files.write(file, lines);
    }

    /**
     * Adds the figures of the file, as if they had been measured before.
     *
     * @param figures to which they are added
     * @param transports that the file may contain
     * @throws IOException if it cannot be read, has figures of other settings, or anything else; the message says so
     */
    public void loadIfExists(Figures figures, List<? extends NetTransport> transports) throws IOException {
        if (!Files.exists(file)) {
            return;
        }
        List<String> lines = Files.readAllLines(file);
        String measured = lines.isEmpty() || !lines.getFirst().startsWith(SETTINGS)
                ? "unknown"
                : lines.getFirst().substring(SETTINGS.length());
        if (!measured.equals(settings)) {
            throw new IOException(file + " has figures of other settings (" + measured + ") than this call (" + settings
                    + "): choose the same, or another --output");
        }
        for (int i = 1; i < lines.size(); i++) {
            if (!add(i, lines.get(i), figures, transports)) {
                throw new IOException(file + ", line " + (i + 1) + ": not a line of figures");
            }
        }
    }

    private static boolean add(int at, String line, Figures figures, List<? extends NetTransport> transports) {
        try {
            if (at == 1) {
                figures.addMoved(Long.parseLong(line.substring(BYTES.length())));
                return line.startsWith(BYTES);
            }
            return at == 2 ? line.equals(HEAD) : add(line.split(SEPARATOR, -1), figures, transports);
        } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
            return false;
        }
    }

    private static boolean add(String[] words, Figures figures, List<? extends NetTransport> transports) {
        Row row = Row.valueOf(words[0]);
        Metric metric = Metric.valueOf(words[2]);
        NetTransport transport = transports.stream()
                .filter(one -> one.name().equals(words[1]))
                .findFirst()
                .orElseThrow(IllegalArgumentException::new);
        for (int i = FIRST_FIGURE; i < words.length; i++) {
            figures.add(row, transport, Map.of(metric, Double.valueOf(words[i])));
        }
        return words.length > FIRST_FIGURE;
    }
}
