// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import io.pipedevice.active.Regions;
import io.pipedevice.active.message.MessageFunction;
import io.pipedevice.lib.PdException;
import io.pipedevice.samples.function.LocalCalls;
import io.pipedevice.samples.function.LocalRegions;
import io.pipedevice.samples.function.OwnedFunctions;
import io.pipedevice.samples.table.HashTable;
import io.pipedevice.samples.table.TableFunction;
import io.pipedevice.samples.table.TableLayout;
import io.pipedevice.samples.tree.Tree;
import io.pipedevice.samples.tree.TreeFunction;
import io.pipedevice.samples.tree.TreeLoader;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Locale;
import java.util.SplittableRandom;
import java.util.stream.Stream;

/** A data structure of an owner, the functions that it serves, and what clients ask. */
public enum Application {
    /** GETs of a hash table, all keys equally often. */
    TABLE_GET("hash table, GET, uniform"),

    /** YCSB-B: 95 GETs and 5 PUTs in 100, few keys often. */
    TABLE_B("hash table, YCSB-B, zipfian"),

    /** GETs of a B+tree. */
    TREE_GET("B+tree, GET, uniform"),

    /** GETs of a B+tree that read words of nodes, not whole nodes. */
    TREE_WORDS("B+tree, GET by words, uniform"),

    /** Scans of a B+tree. */
    TREE_SCAN("B+tree, scan of " + Tree.MOST_PAIRS + " pairs");

    /** PUTs that may be under way at a time. */
    private static final int PUTS = 4096;

    /** A tree has so many times the keys of a table: with a million, as many as NAAM's. */
    private static final int KEYS_OF_TREE = 10;

    private static final int SAMPLES = 1 << 18;
    private static final int PUTS_IN_HUNDRED = 5;

    private final String title;

    Application(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    private boolean isTable() {
        return this == TABLE_GET || this == TABLE_B;
    }

    private TreeFunction treeFunction() {
        return switch (this) {
            case TREE_WORDS -> TreeFunction.GET_WORDS;
            case TREE_SCAN -> TreeFunction.SCAN;
            default -> TreeFunction.GET;
        };
    }

    /** How many keys it has where tables have a number. */
    long keys(long keysOfTable) {
        return isTable() ? keysOfTable : KEYS_OF_TREE * keysOfTable;
    }

    /** The sizes of its regions. */
    List<Long> sizes(long keys) {
        return isTable() ? layout(keys).sizes() : List.of(new TreeLoader(keys).size());
    }

    private static TableLayout layout(long keys) {
        return TableLayout.of(keys, PUTS, TableWorkload.KEY_LENGTH, TableWorkload.VALUE_LENGTH);
    }

    /** The bytes of a message. */
    int messageLength() {
        return isTable() ? layout(1).slot() : treeFunction().messageLength(Tree.MOST_PAIRS);
    }

    /** The names of its functions of a tenant, in the order of their numbers. */
    List<String> functions(int tenant) {
        String name = name(tenant);
        return isTable()
                ? Stream.of(TableFunction.values())
                        .map(each -> each.nameIn(name))
                        .toList()
                : List.of(treeFunction().nameIn(name));
    }

    private String name(int tenant) {
        return this + "." + tenant;
    }

    /** Its functions, in the order of their numbers, for calls within a process. */
    List<MessageFunction> compiled() {
        return isTable()
                ? Stream.of(TableFunction.values())
                        .map(each -> each.compile(messageLength()))
                        .toList()
                : List.of(treeFunction().compile(messageLength()));
    }

    /** Registers and fills the regions and functions of a tenant. */
    OwnedFunctions register(Regions regions, int tenant, long keys) throws PdException {
        OwnedFunctions owned = isTable()
                ? HashTable.register(regions, name(tenant), layout(keys))
                : Tree.register(regions, name(tenant), new TreeLoader(keys));
        fill(owned.memory(), keys);
        return owned;
    }

    /** Fills the regions of the owner. */
    void fill(List<MemorySegment> regions, long keys) {
        if (!isTable()) {
            new TreeLoader(keys).load(regions.getFirst(), TreeWorkload::key, Mix::mix);
            return;
        }
        LocalCalls put = new LocalCalls(TableFunction.PUT.compile(messageLength()), new LocalRegions(regions));
        TableWorkload values = new TableWorkload(new long[0], 0);
        for (long key = 0; key < keys; key++) {
            values.put(put.message(), key, 0);
            if (put.call() != TableFunction.OK) {
                throw new IllegalStateException("the table has no room for key " + key);
            }
        }
    }

    /** What a client asks, the same each time. */
    Workload workload(long keys) {
        SplittableRandom random = new SplittableRandom(keys);
        Zipf zipf = this == TABLE_B ? new Zipf(keys) : null;
        long[] samples = new long[SAMPLES];
        for (int i = 0; i < samples.length; i++) {
            samples[i] = zipf == null ? random.nextLong(keys) : zipf.next(random);
        }
        return isTable()
                ? new TableWorkload(samples, this == TABLE_B ? PUTS_IN_HUNDRED : 0)
                : new TreeWorkload(samples, keys, treeFunction());
    }

    /** For command lines: lower case, with hyphens. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
