// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.function;

import io.pipedevice.active.message.MessageFunction;
import io.pipedevice.active.message.MessageRun;
import io.pipedevice.active.message.RegionAccess;
import java.lang.foreign.MemorySegment;

/** Calls a function on the calling thread, for one thread at a time. The owner of regions fills them so. */
public final class LocalCalls {
    private final MessageRun run;
    private final RegionAccess access;
    private final long fuel;

    /**
     * Prepares calls.
     *
     * @param function to call
     * @param access to the regions; it executes operations at once
     */
    public LocalCalls(MessageFunction function, RegionAccess access) {
        this.run = new MessageRun(function);
        this.access = access;
        this.fuel = function.fuel();
    }

    /**
     * The message: the arguments before a call, the answer after it.
     *
     * @return always the same memory
     */
    public MemorySegment message() {
        return run.message();
    }

    /**
     * Calls the function.
     *
     * @return its result
     */
    public long call() {
        run.begin();
        MessageRun.State state = run.run(access, fuel);
        if (state != MessageRun.State.ENDED) {
            throw new IllegalStateException("the function is " + state + ", status " + run.status(), run.fault());
        }
        return run.result();
    }
}
