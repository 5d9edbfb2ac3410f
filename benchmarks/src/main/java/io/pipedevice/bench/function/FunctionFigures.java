// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalDouble;

/** What was measured, in one run or several, as a file of comma-separated values. Used by one thread. */
final class FunctionFigures {
    private static final String HEAD = "part,application,place,setting,metric,values";

    /**
     * What a figure is of.
     *
     * @param part of the report
     * @param application its name; empty if it is of none
     * @param place its name
     * @param setting the load, or the time
     * @param metric what was measured, with the unit
     */
    record Key(String part, String application, String place, String setting, String metric) {}

    private final Map<Key, List<Double>> values = new LinkedHashMap<>();

    /** Adds the figure of a run. */
    void add(Key key, double value) {
        values.computeIfAbsent(key, none -> new ArrayList<>()).add(value);
    }

    /** Forgets the figures of a part, of which only one run is kept. */
    void clear(String part) {
        values.keySet().removeIf(key -> key.part().equals(part));
    }

    /** The median of all runs. */
    OptionalDouble get(Key key) {
        double[] sorted = values.getOrDefault(key, List.of()).stream()
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
        if (sorted.length == 0) {
            return OptionalDouble.empty();
        }
        int middle = sorted.length / 2;
        return OptionalDouble.of(sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2);
    }

    /** The settings for which a metric was measured, in the order of the measurement. */
    List<String> settings(String part, String application, String place, String metric) {
        return values.keySet().stream()
                .filter(key -> key.equals(new Key(part, application, place, key.setting(), metric)))
                .map(Key::setting)
                .toList();
    }

    /** The most runs of any figure. */
    int runs() {
        return values.values().stream().mapToInt(List::size).max().orElse(0);
    }

    /** Adds the figures of a file. */
    void load(Path file) throws IOException {
        List<String> lines = Files.readAllLines(file);
        if (lines.isEmpty() || !lines.getFirst().equals(HEAD)) {
            throw new IOException(file + " has no figures of functions");
        }
        for (String line : lines.subList(1, lines.size())) {
            String[] words = line.split(",", -1);
            if (words.length != 6) {
                throw new IOException(file + ": " + line);
            }
            Key key = new Key(words[0], words[1], words[2], words[3], words[4]);
            try {
                Arrays.stream(words[5].split(" ", -1))
                        .mapToDouble(Double::parseDouble)
                        .forEach(value -> add(key, value));
            } catch (NumberFormatException e) {
                throw new IOException(file + ": " + line, e);
            }
        }
    }

    /** Writes all figures. */
    void save(Path file) throws IOException {
        StringBuilder text = new StringBuilder(HEAD).append('\n');
        values.forEach((key, figures) -> {
            text.append(String.join(",", key.part(), key.application(), key.place(), key.setting(), key.metric()))
                    .append(',');
            for (int i = 0; i < figures.size(); i++) {
                text.append(i == 0 ? "" : " ").append(String.format(Locale.ROOT, "%.3f", figures.get(i)));
            }
            text.append('\n');
        });
        Files.writeString(file, text);
    }
}
