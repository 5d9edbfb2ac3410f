// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program.socket;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/**
 * A program of java.net's sockets, without a reference to PipeDevice, that prints what it sees: one line for each
 * scenario. What it prints is to be the same with and without PipeDevice.
 */
public final class SocketProgram {
    private SocketProgram() {}

    /**
     * Runs all scenarios, or some.
     *
     * @param args the kinds of ends to run with; and, after "-", parts of names of scenarios, if not all are to run
     */
    public static void main(String[] args) {
        List<String> kinds = new ArrayList<>();
        List<String> names = new ArrayList<>();
        boolean isName = false;
        for (String arg : args) {
            if (arg.equals("-")) {
                isName = true;
            } else {
                (isName ? names : kinds).add(arg);
            }
        }
        // The kinds run at once, because the scenarios mostly wait.
        kinds.stream()
                .map(kind -> CompletableFuture.supplyAsync(
                        () -> run(Ends.Kind.valueOf(kind), names),
                        each -> Thread.ofPlatform().start(each)))
                .toList()
                .forEach(lines -> lines.join().forEach(System.out::println));
    }

    private static List<String> run(Ends.Kind kind, List<String> names) {
        Map<String, Scenario> withEnds = new TreeMap<>(StreamScenarios.all());
        withEnds.putAll(WaitScenarios.all());
        withEnds.putAll(OptionScenarios.all());
        Map<String, Scenario> alone = new TreeMap<>();
        if (kind == Ends.Kind.CLIENT) {
            alone.putAll(ServerScenarios.all());
            alone.putAll(ConnectScenarios.all());
        }
        List<String> lines = new ArrayList<>();
        withEnds.forEach((name, scenario) -> {
            if (isWanted(name, names)) {
                lines.add(run(kind, name, true, scenario));
            }
        });
        alone.forEach((name, scenario) -> {
            if (isWanted(name, names)) {
                lines.add(run(kind, name, false, scenario));
            }
        });
        return lines;
    }

    private static boolean isWanted(String name, List<String> names) {
        return names.isEmpty() || names.stream().anyMatch(name::contains);
    }

    private static String run(Ends.Kind kind, String name, boolean withEnds, Scenario scenario) {
        List<String> log = new ArrayList<>();
        try (Ends ends = withEnds ? Ends.open(kind) : null) {
            scenario.run(ends, log::add);
        } catch (Exception e) {
            log.add("failed: " + e);
        }
        return kind + ", " + name + ": " + String.join(" | ", log);
    }
}
