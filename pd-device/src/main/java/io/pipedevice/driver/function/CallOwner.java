// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import io.pipedevice.driver.data.AttachedProcess;
import java.lang.foreign.MemorySegment;

/** A process that has posted calls. Belongs to the driver's thread. */
interface CallOwner {
    /** Its attachment, which is charged. */
    AttachedProcess process();

    /**
     * Whether the process may run a function itself, or see the state of a run: whether it has the rights to do all
     * that the function can.
     */
    boolean mayRun(StoredFunction function);

    /** Gives a call a run; ends it, and returns false, if there is no memory for one. */
    boolean takeRun(Call call);

    /** Takes back the run of a call that leaves the device, if it has one. */
    void giveRun(Call call);

    /** Ends a call. */
    void end(Call call, long value, int status);

    /** Goes on with a call that has come back with a state, which lies in memory of a process. */
    void goOnAtDevice(Call call, MemorySegment memory, long offset, int length);
}
