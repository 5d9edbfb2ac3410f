// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import io.pipedevice.active.message.MessageRun;
import io.pipedevice.driver.identity.Identity;
import java.lang.foreign.Arena;
import java.util.ArrayDeque;

/** A run of the {@link RunPool}, with the memory of its message. Belongs to the driver's thread. */
final class PooledRun extends LinkedEntries.Entry<PooledRun> {
    /** The runs of one function that are kept for later calls. */
    static final class Kept {
        /** The one that was used last is the first. */
        final ArrayDeque<PooledRun> runs = new ArrayDeque<>();

        /** Whether the function has ended: no run is kept any more. */
        boolean hasEnded;
    }

    /** Of its function. */
    final Kept kept;

    final MessageRun run;

    /** Bytes of the heap and of the memory beside it. */
    final int bytes;

    /** The process that uses it, and is charged for it; null while it is kept. */
    Identity user;

    private final Arena arena;

    PooledRun(Kept kept, MessageRun run, Arena arena, int bytes) {
        this.kept = kept;
        this.run = run;
        this.arena = arena;
        this.bytes = bytes;
    }

    /** Releases the memory of its message at once, which the collector would do some day. */
    void close() {
        arena.close();
    }
}
