// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.linux.LimitedLog;
import java.util.ArrayDeque;

/**
 * The processes that broke a rule. Only a hostile or broken process breaks one. They are detached at the end of the
 * duty cycle, when no loop over their sockets is in progress. Belongs to the driver's thread.
 */
public final class FaultyProcesses {
    private static final LimitedLog FAILED = LimitedLog.error(FaultyProcesses.class, "error in the work for {0}");

    /** Creates a list without faults. */
    public FaultyProcesses() {}

    /**
     * The reason to detach a process.
     *
     * @param process that broke a rule
     * @param reason for the log, and for the process itself
     */
    public record Fault(AttachedProcess process, String reason) {}

    private final ArrayDeque<Fault> faults = new ArrayDeque<>();

    /**
     * Requests that a process be detached, unless it is gone.
     *
     * @param process any
     * @param reason for the log
     */
    public void add(AttachedProcess process, String reason) {
        if (!process.isGone()) {
            faults.add(new Fault(process, reason));
        }
    }

    /**
     * Requests that a process be detached, because work for it has hit a defect of the driver, or a lack of memory. The
     * work for others continues.
     *
     * @param process whose work it was
     * @param what the driver cannot handle, for the log
     * @param e what was thrown
     */
    void failed(AttachedProcess process, String what, Throwable e) {
        FAILED.log(e, process);
        add(process, what + " that the driver cannot handle: " + e);
    }

    /**
     * The oldest fault, even of a process that is gone by now; null if there is none.
     *
     * @return the fault or null
     */
    public Fault first() {
        return faults.peek();
    }

    /** Removes the oldest fault, because its process was detached. */
    public void removeFirst() {
        faults.remove();
    }
}
