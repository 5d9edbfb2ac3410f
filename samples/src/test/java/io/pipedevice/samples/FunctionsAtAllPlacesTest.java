// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.pipedevice.active.Place;
import io.pipedevice.active.Regions;
import io.pipedevice.client.DriverDirectory;
import io.pipedevice.samples.table.CheckedValue;
import io.pipedevice.samples.table.RemoteTable;
import io.pipedevice.samples.tree.RemoteTree;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** A driver, the owner of a table and that of a tree, each a process, and this one as the client. */
@Timeout(120)
final class FunctionsAtAllPlacesTest {
    @TempDir
    private static Path directory;

    private static Program driver;
    private static Program tableOwner;
    private static Program treeOwner;

    @BeforeAll
    static void start() throws Exception {
        driver = Program.start("driver", "--dir", directory.toString());
        driver.await("ready");
        tableOwner = Program.start("sample", "table", "owner", "--dir", directory.toString(), "--keys", "10000");
        treeOwner = Program.start("sample", "tree", "owner", "--dir", directory.toString(), "--keys", "20000");
        tableOwner.await("owner: a table");
        treeOwner.await("owner: a tree of 4 levels");
    }

    @AfterAll
    static void end() {
        for (Program each : new Program[] {tableOwner, treeOwner, driver}) {
            if (each != null) {
                each.close();
            }
        }
    }

    private static Regions attach() throws Exception {
        return Regions.attach(DriverDirectory.at(directory));
    }

    @ParameterizedTest
    @EnumSource
    void aTreeGivesTheSameAnswersEverywhere(Place place) throws Exception {
        try (Regions regions = attach();
                RemoteTree tree = new RemoteTree(regions, "tree")) {
            for (long number = 0; number < 20_000; number += 999) {
                assertEquals(number * number, tree.get(2 * number, place).orElseThrow());
                assertTrue(tree.get(2 * number + 1, place).isEmpty());
            }
            List<RemoteTree.Pair> pairs = tree.scan(39_901, 100, place);
            assertEquals(49, pairs.size());
            for (int i = 0; i < pairs.size(); i++) {
                long number = 19_951L + i;
                assertEquals(new RemoteTree.Pair(2 * number, number * number), pairs.get(i));
            }
        }
    }

    @Test
    void placesThatPutTheSameKeysAtOnceLoseNothing() throws Exception {
        int rounds = 160;
        int keys = 8;
        List<Future<?>> ends = new ArrayList<>();
        try (ExecutorService threads = Executors.newCachedThreadPool()) {
            for (Place place : Place.values()) {
                int own = ends.size();
                ends.add(threads.submit(() -> putAndGet(place, own, rounds, keys)));
            }
            for (Future<?> each : ends) {
                each.get();
            }
        }
        try (Regions regions = attach();
                RemoteTable table = new RemoteTable(regions, "table")) {
            for (int key = 0; key < keys; key++) {
                long stamp = CheckedValue.check(table.get(CheckedValue.key(-1, key), Place.HOST));
                assertEquals(rounds - keys + key, CheckedValue.number(stamp), "not the last PUT of any place");
            }
        }
    }

    private static Void putAndGet(Place place, int own, int rounds, int keys) throws Exception {
        try (Regions regions = attach();
                RemoteTable table = new RemoteTable(regions, "table")) {
            for (int round = 0; round < rounds; round++) {
                byte[] key = CheckedValue.key(own, round % keys);
                table.put(key, CheckedValue.of(own, round), place);
                assertEquals(CheckedValue.stamp(own, round), CheckedValue.check(table.get(key, place)));
                table.put(CheckedValue.key(-1, round % keys), CheckedValue.of(own, round), place);
                CheckedValue.check(table.get(CheckedValue.key(-1, (round + 1) % Math.min(keys, round + 1)), place));
            }
            assertNull(table.get(CheckedValue.key(own, keys), place));
        }
        return null;
    }

    @Test
    void commandsPutAndGet() {
        assertEquals(0, run("put", "--place", "HOST", "colour", "blue"));
        assertEquals("", said.toString());
        assertEquals(0, run("get", "--place", "CLIENT", "colour"));
        assertArrayEquals(new String[] {"blue"}, said.toString().lines().toArray());
        assertEquals(CommandLine.ExitCode.SOFTWARE, run("get", "shape"));
        assertFalse(said.toString().contains("blue"));
        assertTrue(said.toString().contains("no key 'shape'"), said::toString);
    }

    private final StringWriter said = new StringWriter();

    private int run(String command, String... arguments) {
        said.getBuffer().setLength(0);
        List<String> all = new ArrayList<>(List.of("table", command, "--dir", directory.toString()));
        all.addAll(List.of(arguments));
        return new CommandLine(new SampleModule().command())
                .setOut(new PrintWriter(said, true))
                .setErr(new PrintWriter(said, true))
                .execute(all.toArray(String[]::new));
    }
}
