// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import io.pipedevice.active.message.MessageRun;
import io.pipedevice.active.operation.CompletionDescriptor;
import io.pipedevice.driver.region.CallExecutor;
import io.pipedevice.driver.region.RegisteredRegion;

/** A call that is under way; used again for later ones. Belongs to the driver's thread. */
final class Call extends LinkedEntries.Entry<Call> {
    /** Of the process that calls. */
    final CallOwner user;

    CallExecutor.Caller caller;
    long id;
    StoredFunction function;

    /** The buffer that the message came from, and to which the answer goes. */
    RegisteredRegion buffer;

    long bufferOffset;

    /** The bytes of the buffer that the call may use. */
    int room;

    /** Bytes of the state with which it was posted. */
    int state;

    long flags;
    long postedNs;
    int delayNs;

    /** Whether the delay is known. */
    boolean begun;

    /** Null where the call is not at the device. */
    MessageRun run;

    /** Of which {@link #run} is the run. */
    PooledRun pooled;

    /** {@link DeviceRunner}: whether its next turn begins with the operation that it waits for. */
    boolean waits;

    /** {@link DeviceRunner}: when it had its last turn. */
    long turnNs;

    /** Whether it was in the process of the function's owner, and has not come back to the device. */
    boolean wasAtHost;

    /** How often it has left the device. */
    int moves;

    /** {@link TimeLimits}: when it has to have ended. */
    long endNs;

    /** {@link TimeLimits}: its index there; -1 if it has no limit. */
    int limitIndex = -1;

    /** Index of the lane where it is out; -1 if it is not. */
    int lane = -1;

    /** Its place in that lane. */
    int place;

    /** Bytes of the driver's memory that it was counted with. */
    int footprint;

    Call(CallOwner user) {
        this.user = user;
    }

    /** Records when it begins. */
    void begins(long nowNs) {
        if (!begun) {
            begun(CompletionDescriptor.delay(postedNs, nowNs));
        }
    }

    /** Records how long it had waited when it began, unless it had begun before. */
    void begun(int delay) {
        if (!begun) {
            begun = true;
            delayNs = delay;
        }
    }
}
