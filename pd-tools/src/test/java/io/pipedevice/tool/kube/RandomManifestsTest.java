// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.kube;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Timeout;
import org.snakeyaml.engine.v2.api.Dump;
import org.snakeyaml.engine.v2.api.DumpSettings;
import org.snakeyaml.engine.v2.common.FlowStyle;
import org.snakeyaml.engine.v2.common.ScalarStyle;

/** Pods with random parts, in random styles. */
@Timeout(60)
class RandomManifestsTest {
    private static final int PODS = 100;
    private static final List<String> OPTIONS = List.of(
            "",
            "-Xmx1g",
            "-Da='b c'",
            "-Da=\"b\\c\"",
            "-Da=1\n-Db=2\n",
            "-Xlog:gc*, #x: y",
            "-Da=\u00e4\u2028",
            "$(X)");

    private final Injection injection = Injections.withDriver();

    @RepeatedTest(20)
    void injectionIsCompleteRepeatableAndReversible(RepetitionInfo repetition) throws Exception {
        Random random = new Random(repetition.getCurrentRepetition());
        for (int i = 0; i < PODS; i++) {
            String text = text(random);
            String injected = Injections.inject(text, injection);
            assertEquals(injected, Injections.inject(injected, injection), text);
            assertEquals(expected(text), Injections.meaning(injected), text);
            assertEquals(Injections.meaning(text), Injections.meaning(Injections.remove(injected)), text);
            Injection other = Injections.byImageVolume();
            assertEquals(
                    Injections.meaning(Injections.inject(text, other)),
                    Injections.meaning(Injections.inject(injected, other)),
                    text);
        }
    }

    private static String text(Random random) {
        int indent = 2 + 2 * random.nextInt(2);
        DumpSettings settings = DumpSettings.builder()
                .setDefaultFlowStyle(one(random, FlowStyle.values()))
                .setDefaultScalarStyle(one(random, ScalarStyle.values()))
                .setIndent(indent)
                .setIndicatorIndent(indent - 2)
                .setMultiLineFlow(random.nextBoolean())
                .setWidth(40 + random.nextInt(100))
                .setExplicitStart(true)
                .build();
        return new Dump(settings).dumpToString(pod(random));
    }

    private static <T> T one(Random random, T[] of) {
        return of[random.nextInt(of.length)];
    }

    private static Map<String, Object> pod(Random random) {
        Map<String, Object> spec = new LinkedHashMap<>();
        List<Object> containers = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
            containers.add(container(random, "c" + i));
        }
        List<Runnable> parts = new ArrayList<>(List.of(
                () -> spec.put("containers", containers),
                () -> spec.put("initContainers", list(random, Map.of("name", "first"))),
                () -> spec.put("volumes", list(random, Map.of("name", "data", "emptyDir", Map.of()))),
                () -> spec.put("hostname", "h")));
        Collections.shuffle(parts, random);
        parts.forEach(Runnable::run);
        return Map.of("apiVersion", "v1", "kind", "Pod", "metadata", Map.of("name", "p"), "spec", spec);
    }

    private static Map<String, Object> container(Random random, String name) {
        Map<String, Object> container = new LinkedHashMap<>();
        List<Object> variables = new ArrayList<>();
        if (random.nextBoolean()) {
            variables.add(Map.of("name", "MODE", "value", "on"));
        }
        if (random.nextBoolean()) {
            String options = OPTIONS.get(random.nextInt(OPTIONS.size()));
            variables.add(
                    random.nextInt(4) == 0
                            ? Map.of("name", "JAVA_TOOL_OPTIONS")
                            : Map.of("name", "JAVA_TOOL_OPTIONS", "value", options));
        }
        Collections.shuffle(variables, random);
        List<Runnable> parts = new ArrayList<>(List.of(
                () -> container.put("name", name),
                () -> container.put("env", variables.isEmpty() && random.nextBoolean() ? null : variables),
                () -> container.put("volumeMounts", list(random, Map.of("name", "data", "mountPath", "/data")))));
        if (variables.isEmpty() && random.nextBoolean()) {
            parts.remove(1);
        }
        Collections.shuffle(parts, random);
        parts.forEach(Runnable::run);
        return container;
    }

    private static List<Object> list(Random random, Object item) {
        return random.nextInt(3) == 0 ? null : new ArrayList<>(random.nextBoolean() ? List.of() : List.of(item));
    }

    /** The same change, made to values in place of a text. */
    @SuppressWarnings("unchecked")
    private List<Object> expected(String text) {
        List<Object> documents = Injections.meaning(text);
        Map<String, Object> spec = (Map<String, Object>) ((Map<String, Object>) documents.get(0)).get("spec");
        for (Object each : (List<Object>) spec.get("containers")) {
            Map<String, Object> container = (Map<String, Object>) each;
            List<Object> variables = append(container, "env", List.of());
            Map<String, Object> variable = null;
            for (Object one : variables) {
                if (((Map<String, Object>) one).get("name").equals("JAVA_TOOL_OPTIONS")) {
                    variable = (Map<String, Object>) one;
                }
            }
            if (variable == null) {
                variables.add(Map.of("name", "JAVA_TOOL_OPTIONS", "value", Injections.FLAGS));
            } else {
                variable.put("value", variable.getOrDefault("value", "") + " " + Injections.FLAGS);
            }
            append(container, "volumeMounts", List.of(injection.jarMount(), injection.driverMount()));
        }
        append(spec, "initContainers", List.of()).add(0, injection.initContainer());
        append(spec, "volumes", List.of(injection.jarVolume(), injection.nodeDirectory()));
        return documents;
    }

    @SuppressWarnings("unchecked")
    private static List<Object> append(Map<String, Object> map, String key, List<Object> items) {
        List<Object> list = new ArrayList<>((List<Object>) map.getOrDefault(key, List.of()));
        list.addAll(items);
        map.put(key, list);
        return list;
    }
}
