// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.driver.data.AttachedProcess;

/**
 * A ring that the driver fills, and until whose next entry a thread of a process may sleep. Belongs to the driver's
 * thread.
 */
public abstract class ArmedRing {
    /** The process that reads the ring. */
    protected final AttachedProcess process;

    /** {@link Operations}: the arm word for which the process's doorbell was rung last. */
    long servedArm;

    /** {@link Operations}: whether it was filled since it looked at the arm word. */
    boolean touched;

    /**
     * Begins without a thread that sleeps.
     *
     * @param process whose doorbells are rung
     */
    protected ArmedRing(AttachedProcess process) {
        this.process = process;
    }

    /**
     * Whether it was filled in this duty cycle, and its thread was not woken yet.
     *
     * @return whether the arm word will be looked at
     */
    protected final boolean isTouched() {
        return touched;
    }

    /**
     * The arm word of the process's thread.
     *
     * @return any value
     */
    protected abstract long arm();
}
