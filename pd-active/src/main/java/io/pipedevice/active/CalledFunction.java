// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

/**
 * A function that a queue of calls has called: memory for its messages, and where its calls go. Used by one thread at a
 * time.
 */
final class CalledFunction {
    final RemoteFunction function;
    final MessageBuffer buffer;

    /** Null before the first call of place AUTO. */
    Steering steering;

    CalledFunction(RemoteFunction function, MessageBuffer buffer) {
        this.function = function;
        this.buffer = buffer;
    }
}
