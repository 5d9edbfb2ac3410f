// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.linux.LazyLogger;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * Publishes the listeners of this JVM when their driver starts, or starts again. A server that waits for its next
 * connection calls nothing of PipeDevice that could look for the driver. So a thread does, while a listener is open and
 * there is no driver. Thread safe.
 */
final class DriverReturn {
    private static final LazyLogger LOG = new LazyLogger("io.pipedevice");

    /** A new driver serves the listeners within a second: an attempt to reach a driver that is absent costs little. */
    private static final long PERIOD_MS = 200;

    private final DriverPlacement placement;
    private final Set<DriverListener> listeners = ConcurrentHashMap.newKeySet();

    /** Null while no thread looks for the driver; guarded by this object's monitor. */
    private Thread thread;

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

    /** A listener has no driver: a thread looks for one from now on. */
    synchronized void await() {
        if (thread != null || isOver()) {
            return;
        }
        thread = new Thread(this::look, "pd-driver-return");
        thread.setDaemon(true);
        try {
            thread.start();
        } catch (OutOfMemoryError e) {
            // There is no thread at present. The next connection through the kernel tries again.
            thread = null;
            LOG.get().log(System.Logger.Level.DEBUG, "no thread waits for the driver: {0}", e.getMessage());
        }
    }

    private void look() {
        try {
            do {
                TimeUnit.MILLISECONDS.sleep(PERIOD_MS);
                if (!listeners.isEmpty() && placement.attach() != null) {
                    listeners.forEach(DriverListener::refresh);
                }
            } while (!endIfOver());
        } catch (InterruptedException e) {
            throw new AssertionError("no thread can interrupt this one", e);
        } finally {
            ended();
        }
    }

    /** This thread ends, perhaps by an error, after which a later call starts another one. */
    private synchronized void ended() {
        if (Thread.currentThread().equals(thread)) {
            thread = null;
        }
    }

    /**
     * Ends the search if it is over. A listener that loses the driver afterwards starts a new one; one that has lost it
     * before finds no driver here.
     */
    private synchronized boolean endIfOver() {
        boolean over = isOver();
        if (over) {
            thread = null;
        }
        return over;
    }

    /**
     * Whether no listener is open, or a driver serves this JVM. A listener that a present driver refuses is published
     * again when a client comes through the kernel.
     */
    private boolean isOver() {
        return listeners.isEmpty() || placement.isAttached();
    }
}
