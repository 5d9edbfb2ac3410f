// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import java.io.IOException;
import java.lang.foreign.MemorySegment;

/** A way to call functions, several at a time. Each call under way has a slot with its message. Used by one thread. */
interface Port extends AutoCloseable {
    /** The number of slots. */
    int slots();

    /** Gives a slot a call of a function, by its number. Returns the message, for the arguments. */
    MemorySegment prepare(int slot, int function);

    /** Begins the call of a slot. */
    void post(int slot) throws IOException;

    /** Sends what was posted. */
    void flush() throws IOException;

    /**
     * Takes the end of a call.
     *
     * @return its slot; -1 if none has ended
     * @throws IOException if a call has failed
     */
    int poll() throws IOException;

    /** As {@link #poll}, but waits for the end of a call, up to a time in nanoseconds: the thread may sleep. */
    int await(long timeoutNs) throws IOException;

    /** The message of a slot whose call has ended: the answer. */
    MemorySegment message(int slot);

    /** The result of the call whose slot was returned last. */
    long result();

    /** Where it has begun. */
    FunctionPlace place();

    @Override
    void close() throws IOException;
}
