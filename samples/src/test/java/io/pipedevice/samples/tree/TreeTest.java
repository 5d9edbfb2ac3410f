// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.tree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.pipedevice.samples.function.LocalCalls;
import io.pipedevice.samples.function.LocalRegions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
final class TreeTest {
    private static final int PAIRS = 100;
    private static final long STEP = 10;
    private static final long FIRST = 5;

    @ParameterizedTest
    @ValueSource(longs = {1, 26, 27, 28, 54, 729, 730, 19_683, 20_000})
    void keysAreFoundAndOthersAreNot(long count) {
        MemorySegment region = tree(count);
        for (TreeFunction function : List.of(TreeFunction.GET, TreeFunction.GET_WORDS)) {
            LocalCalls get = calls(function, TreeMessage.GET_LENGTH, region);
            for (long i = 0; i < count; i += Math.max(1, count / 500)) {
                TreeMessage.get(get.message(), key(i));
                assertEquals(TreeFunction.FOUND, get.call());
                assertEquals(-i, TreeMessage.value(get.message()));
                assertAbsent(get, key(i) + 1);
                assertAbsent(get, key(i) - 1);
            }
            assertAbsent(get, 0);
            assertAbsent(get, -1);
        }
    }

    private static void assertAbsent(LocalCalls get, long key) {
        TreeMessage.get(get.message(), key);
        assertEquals(TreeFunction.ABSENT, get.call());
        assertEquals(0, TreeMessage.value(get.message()));
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 27, 28, 100, 20_000})
    void scansFindThePairsFromAKeyOn(long count) {
        LocalCalls scan = calls(TreeFunction.SCAN, TreeMessage.scanLength(PAIRS), tree(count));
        for (long first : new long[] {0, 1, count / 2, count - 1, count}) {
            for (int wanted : new int[] {0, 1, 26, 27, 28, PAIRS, PAIRS + 1, -1}) {
                for (long before = 0; before < STEP; before += STEP - 1) {
                    TreeMessage.scan(scan.message(), first == 0 && before > 0 ? 0 : key(first) - before, wanted);
                    long most = wanted < 0 ? PAIRS : Math.min(PAIRS, wanted);
                    assertEquals(Math.min(most, count - first), scan.call());
                    for (int i = 0; i < Math.min(most, count - first); i++) {
                        assertEquals(key(first + i), TreeMessage.key(scan.message(), i));
                        assertEquals(-(first + i), TreeMessage.value(scan.message(), i));
                    }
                }
            }
        }
    }

    @Test
    void tenMillionKeysHaveFiveLevels() {
        assertEquals(5, new TreeLoader(10_000_000).levels());
        assertEquals(1, new TreeLoader(27).levels());
        assertEquals(8, new TreeLoader(282_429_536_481L).levels());
        assertThrows(IllegalArgumentException.class, () -> new TreeLoader(282_429_536_482L));
        assertThrows(IllegalArgumentException.class, () -> new TreeLoader(0));
    }

    @Test
    void aRegionWithoutATreeHasNoKeys() {
        MemorySegment region = Arena.ofAuto().allocate(NodeLayout.SIZE, Long.BYTES);
        LocalCalls get = calls(TreeFunction.GET, TreeMessage.GET_LENGTH, region);
        TreeMessage.get(get.message(), 1);
        assertEquals(TreeFunction.BROKEN, get.call());
        LocalCalls scan = calls(TreeFunction.SCAN, TreeMessage.scanLength(PAIRS), region);
        TreeMessage.scan(scan.message(), 1, PAIRS);
        assertEquals(0, scan.call());
    }

    private static long key(long number) {
        return FIRST + number * STEP;
    }

    private static MemorySegment tree(long count) {
        TreeLoader loader = new TreeLoader(count);
        MemorySegment region = Arena.ofAuto().allocate(loader.size(), Long.BYTES);
        loader.load(region, TreeTest::key, number -> -number);
        return region;
    }

    private static LocalCalls calls(TreeFunction function, int length, MemorySegment region) {
        return new LocalCalls(function.compile(length), new LocalRegions(List.of(region)));
    }
}
