// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

/** Runs calls in the process that owns the functions. Belongs to the driver's thread. */
interface CallServer {
    /** Whether calls of a function are accepted. */
    boolean serves(StoredFunction function);

    /** Whether a call would begin to be served at once, or soon. */
    boolean hasRoom();

    /** Takes a call of a function that it serves. */
    void forward(Call call);

    /** Gives up a call that it has taken, and that has not ended. */
    void giveUp(Call call);
}
