// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

/** One end of all connections of a {@link Game}; in this process or in another. One thread uses it. */
interface Player {
    /** Performs an act, and waits until it is done. */
    Outcome act(Act act) throws Exception;

    /** Begins an act that may block, on a thread of its own; one at a time. */
    void begin(Act act) throws Exception;

    /** Interrupts the thread that {@link #begin} started. */
    void interrupt() throws Exception;

    /** Waits for the act that {@link #begin} started. */
    Outcome end() throws Exception;

    /** Closes everything that is open: the next game begins afresh. */
    void leave() throws Exception;
}
