// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.code;

import io.pipedevice.active.message.MessageRun;
import io.pipedevice.active.operation.OperationStatus;

/** How runs that have failed ended, as the caller sees it. */
public final class RunStatus {
    private RunStatus() {}

    /**
     * The status of a run that has failed.
     *
     * @param run any
     * @param fuel of its function
     * @return one of {@link OperationStatus}
     */
    public static int of(MessageRun run, long fuel) {
        if (run.status() != MessageRun.FAULT) {
            return run.status();
        }
        // Fuel that is left may not suffice for the next instructions without a jump.
        return run.used() > fuel - MessageRun.LEAST_FUEL ? OperationStatus.FUEL : OperationStatus.FAULT;
    }
}
