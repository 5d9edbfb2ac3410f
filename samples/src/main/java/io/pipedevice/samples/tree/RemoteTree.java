// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.tree;

import io.pipedevice.active.Calls;
import io.pipedevice.active.Place;
import io.pipedevice.active.Regions;
import io.pipedevice.active.RemoteFunction;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;

/** A B+tree of another process. Used by one thread at a time. */
public final class RemoteTree implements AutoCloseable {
    private final RemoteFunction get;
    private final RemoteFunction scan;
    private final Calls calls;
    private final MemorySegment getMessage;
    private final MemorySegment scanMessage;

    /**
     * A key and its value.
     *
     * @param key as the tree has it
     * @param value of it
     */
    public record Pair(long key, long value) {}

    /**
     * Finds a tree.
     *
     * @param regions the attachment to the driver
     * @param name of the tree
     * @throws IOException if there is none, or the driver is gone
     */
    public RemoteTree(Regions regions, String name) throws IOException {
        get = regions.findFunction(TreeFunction.GET.nameIn(name));
        scan = regions.findFunction(TreeFunction.SCAN.nameIn(name));
        calls = regions.calls(1);
        getMessage = calls.message(get);
        scanMessage = calls.message(scan);
    }

    /**
     * Looks a key up.
     *
     * @param key any
     * @param place where the function runs
     * @return the value, if the tree has the key
     * @throws IOException if the call fails
     */
    public OptionalLong get(long key, Place place) throws IOException {
        TreeMessage.get(getMessage, key);
        return calls.call(get, getMessage, place) == TreeFunction.FOUND
                ? OptionalLong.of(TreeMessage.value(getMessage))
                : OptionalLong.empty();
    }

    /**
     * Reads the pairs from a key on.
     *
     * @param least key
     * @param pairs the most that are wanted, up to {@link Tree#MOST_PAIRS}
     * @param place where the function runs
     * @return pairs in the order of their keys
     * @throws IOException if the call fails
     */
    public List<Pair> scan(long least, int pairs, Place place) throws IOException {
        TreeMessage.scan(scanMessage, least, pairs);
        long count = calls.call(scan, scanMessage, place);
        List<Pair> found = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            found.add(new Pair(TreeMessage.key(scanMessage, i), TreeMessage.value(scanMessage, i)));
        }
        return found;
    }

    @Override
    public void close() {
        calls.close();
        get.close();
        scan.close();
    }
}
