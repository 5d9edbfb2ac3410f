// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.table;

import io.pipedevice.active.message.RegionAccess;
import io.pipedevice.samples.function.LocalCalls;
import io.pipedevice.samples.function.LocalRegions;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.List;

/** A table in the memory of this process, for one thread at a time; several share the regions. */
final class LocalTable {
    private final LocalCalls get;
    private final LocalCalls put;

    LocalTable(TableLayout layout, List<MemorySegment> regions) {
        this(layout, new LocalRegions(regions));
    }

    LocalTable(TableLayout layout, RegionAccess access) {
        get = new LocalCalls(TableFunction.GET.compile(layout.slot()), access);
        put = new LocalCalls(TableFunction.PUT.compile(layout.slot()), access);
    }

    static List<MemorySegment> regions(TableLayout layout) {
        return layout.sizes().stream()
                .map(size -> Arena.ofAuto().allocate(size, TableLayout.LINE))
                .toList();
    }

    long put(byte[] key, byte[] value) {
        TableMessage.put(put.message(), key, MemorySegment.ofArray(value));
        return put.call();
    }

    /** The value; null if the key is absent. */
    byte[] get(byte[] key) {
        TableMessage.get(get.message(), key);
        long result = get.call();
        if (result == TableFunction.BUSY) {
            return get(key);
        }
        return result == TableFunction.OK ? TableMessage.value(get.message()).toArray(ValueLayout.JAVA_BYTE) : null;
    }

    MemorySegment getMessage() {
        return get.message();
    }

    long callGet() {
        return get.call();
    }

    MemorySegment putMessage() {
        return put.message();
    }

    long callPut() {
        return put.call();
    }
}
