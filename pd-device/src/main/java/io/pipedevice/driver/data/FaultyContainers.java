// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import io.pipedevice.linux.LimitedLog;
import java.util.ArrayDeque;

/**
 * The containers that broke a rule. Only a hostile or broken process breaks one. They are detached at the end of the
 * duty cycle, when no loop over their sockets is in progress. Belongs to the driver's thread.
 */
public final class FaultyContainers {
    private static final LimitedLog FAILED = LimitedLog.error(FaultyContainers.class, "error in the work for {0}");

    /** Creates a list without faults. */
    public FaultyContainers() {}

    /**
     * The reason to detach a container.
     *
     * @param container that broke a rule
     * @param reason for the log, and for the process itself
     */
    public record Fault(Container container, String reason) {}

    private final ArrayDeque<Fault> faults = new ArrayDeque<>();

    /**
     * Requests that a container be detached, unless it is gone.
     *
     * @param container any
     * @param reason for the log
     */
    public void add(Container container, String reason) {
        if (!container.gone) {
            faults.add(new Fault(container, reason));
        }
    }

    /**
     * Requests that a container be detached, because work for it has hit a defect of the driver, or a lack of memory. The
     * work for others goes on.
     *
     * @param container whose work it was
     * @param what the driver cannot handle, for the log
     * @param e what was thrown
     */
    void failed(Container container, String what, Throwable e) {
        FAILED.log(e, container);
        add(container, what + " that the driver cannot handle: " + e);
    }

    /**
     * The oldest fault, even of a container that is gone by now; null if there is none.
     *
     * @return the fault or null
     */
    public Fault first() {
        return faults.peek();
    }

    /** Removes the oldest fault, because its container was detached. */
    public void removeFirst() {
        faults.remove();
    }
}
