// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import io.pipedevice.active.message.MessageRun;
import io.pipedevice.driver.identity.Identity;
import java.lang.foreign.Arena;

/** A run of the {@link RunPool}, with the memory of its message. Belongs to the driver's thread. */
final class PooledRun extends LinkedEntries.Entry<PooledRun> {
    final StoredFunction function;
    final MessageRun run;

    /** Bytes of the heap and of the memory beside it. */
    final int bytes;

    /** The process that uses it, and is charged for it; null while it is kept. */
    Identity user;

    private final Arena arena;

    PooledRun(StoredFunction function, MessageRun run, Arena arena, int bytes) {
        this.function = function;
        this.run = run;
        this.arena = arena;
        this.bytes = bytes;
    }

    /** Releases the memory of its message at once, which the collector would do some day. */
    void close() {
        arena.close();
    }
}
