// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.emulator;

import java.util.concurrent.locks.LockSupport;
import org.agrona.concurrent.AgentTerminationException;

/**
 * Runs the engine on the driver's thread, which polls, or on a thread of its own. That thread sleeps while there is
 * nothing to do, and the driver wakes it.
 */
final class EngineHost {
    private final Engine engine;
    private final EngineGate gate = new EngineGate();
    private final EngineDoorbell doorbell = new EngineDoorbell();
    private volatile boolean hosted;
    private volatile boolean stopped;

    EngineHost(Engine engine) {
        this.engine = engine;
    }

    /** Driver: runs the engine unless it has a thread. */
    int poll() {
        return hosted ? 0 : engine.run();
    }

    /** Driver: whether {@link #poll} would do anything. */
    boolean needsPoll() {
        return !hosted && engine.hasWork();
    }

    /** Whether the engine has a thread. */
    boolean isHosted() {
        return hosted;
    }

    /** Driver: wakes the engine's thread, if there is one and it sleeps. */
    void ring() {
        if (hosted) {
            doorbell.ring();
        }
    }

    /** Driver: keeps the engine out of the lanes until {@link #open}. */
    void shut() {
        gate.shut();
    }

    /** Driver: lets the engine continue. */
    void open() {
        gate.open();
        ring();
    }

    /** Control: hands the engine to a thread, or takes it back when that thread has ended. */
    void setHosted(boolean hosted) {
        this.stopped = false;
        this.hosted = hosted;
    }

    /** Control: makes the engine's thread end. */
    void stop() {
        stopped = true;
        doorbell.ring();
    }

    /** Engine's thread: one round. */
    int work() {
        if (stopped) {
            throw new AgentTerminationException();
        }
        if (!gate.enter()) {
            return 0;
        }
        try {
            return engine.run();
        } finally {
            gate.leave();
        }
    }

    /** Engine's thread: sleeps until there is something to do. */
    void sleep() {
        doorbell.announce();
        if (!stopped && !hasWork()) {
            LockSupport.park(this);
        }
        doorbell.awake();
    }

    private boolean hasWork() {
        if (!gate.enter()) {
            return false;
        }
        try {
            return engine.hasWork();
        } finally {
            gate.leave();
        }
    }
}
