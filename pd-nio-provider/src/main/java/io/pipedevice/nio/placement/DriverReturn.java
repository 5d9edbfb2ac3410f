// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.wait.OnDemandThread;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Publishes the listeners of this JVM when their driver starts, or starts again. A server that waits for its next
 * connection calls nothing of PipeDevice that could look for the driver. So a thread does, while a listener is open and
 * there is no driver. Thread safe.
 */
final class DriverReturn {
    /** A new driver serves the listeners within a second: an attempt to reach a driver that is absent costs little. */
    private static final long PERIOD_MS = 200;

    private final DriverPlacement placement;
    private final Set<DriverListener> listeners = ConcurrentHashMap.newKeySet();

    private final OnDemandThread thread = new OnDemandThread("pd-driver-return", this::look, this::isOver);

    DriverReturn(DriverPlacement placement) {
        this.placement = placement;
    }

    /** A listener is open. */
    void opened(DriverListener listener) {
        listeners.add(listener);
    }

    /** A listener is closed, and is not published any more. */
    void closed(DriverListener listener) {
        listeners.remove(listener);
    }

    /**
     * A listener has no driver: a thread looks for one from now on. If the search is just ending, either it sees that
     * there is none, and goes on; or this starts another one.
     */
    void await() {
        thread.begin();
    }

    private void look() {
        OnDemandThread.sleep(PERIOD_MS);
        if (!listeners.isEmpty() && placement.attach() != null) {
            listeners.forEach(DriverListener::refresh);
        }
    }

    /**
     * Whether no listener is open, or a driver serves this JVM and has answered it. A listener that a present driver
     * refuses is published again when a client comes through the kernel.
     */
    private boolean isOver() {
        return listeners.isEmpty() || (placement.isAttached() && !placement.isUnanswered());
    }
}
