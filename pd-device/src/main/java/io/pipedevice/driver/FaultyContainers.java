// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import java.util.ArrayDeque;

/**
 * The containers that broke a rule that only a hostile or broken process breaks. They are detached at the end of the
 * duty cycle, when no loop over their sockets is in progress. Belongs to the driver's thread.
 */
final class FaultyContainers {
    /** Why a container is to be detached. */
    record Fault(Container container, String reason) {}

    private final ArrayDeque<Fault> faults = new ArrayDeque<>();

    /** Requests that a container be detached, unless it is gone. */
    void add(Container container, String reason) {
        if (!container.gone) {
            faults.add(new Fault(container, reason));
        }
    }

    /** The oldest fault, even of a container that is gone by now; null if there is none. */
    Fault first() {
        return faults.peek();
    }

    /** Removes the oldest fault, because its container was detached. */
    void removeFirst() {
        faults.remove();
    }
}
