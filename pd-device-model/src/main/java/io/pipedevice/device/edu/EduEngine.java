// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.edu;

import io.pipedevice.device.DeviceHealth;
import io.pipedevice.device.pci.PciFunction;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * The DMA engine behind the registers. It copies in two steps: from memory into the buffer, and from there to memory.
 *
 * <p>The device does not report whether a transfer succeeded, and a reset of the bus from outside makes a transfer
 * fail. A copy during which the device was observed not to answer counts as failed. If nothing observed the reset, only
 * a comparison of the bytes detects the failed copy.
 */
final class EduEngine {
    private static final long LOOK_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final long INTERRUPT_WAY_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long RESET_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(3);

    /** The current step of the engine, or the result of the last copy. */
    enum State {
        IDLE,
        READING,
        WRITING,
        DONE,
        FAILED
    }

    private final PciFunction function;
    private final DeviceHealth health;

    /** Set by the thread that delivers an interrupt. */
    private final AtomicBoolean interrupted = new AtomicBoolean();

    private State state = State.IDLE;
    private long destination;
    private int length;
    private long lookedNs;
    private long endedNs;
    private boolean ended;
    private boolean wasAway;

    EduEngine(PciFunction function, DeviceHealth health) {
        this.function = function;
        this.health = health;
    }

    boolean isThere() {
        return (function.read(EduDescriptor.ID_OFFSET) & EduDescriptor.ID_MASK) == EduDescriptor.ID;
    }

    /** Called by any thread. */
    void interrupted() {
        interrupted.set(true);
    }

    /** Begins a copy. */
    void copy(long source, long destination, int length) {
        this.destination = destination;
        this.length = length;
        wasAway = false;
        state = State.READING;
        run(source, EduDescriptor.BUFFER, 0);
    }

    private void run(long from, long to, int direction) {
        ended = false;
        interrupted.set(false);
        lookedNs = System.nanoTime();
        function.write(EduDescriptor.DMA_SOURCE_OFFSET, (int) from);
        function.write(EduDescriptor.DMA_DESTINATION_OFFSET, (int) to);
        function.write(EduDescriptor.DMA_COUNT_OFFSET, length);
        function.write(
                EduDescriptor.DMA_COMMAND_OFFSET, EduDescriptor.DMA_RUN | EduDescriptor.DMA_INTERRUPT | direction);
    }

    /** Polls the device if that is due, and continues with the next step. */
    State step() {
        if (state == State.READING || state == State.WRITING) {
            long nowNs = System.nanoTime();
            if (interrupted.get() || nowNs - lookedNs >= LOOK_INTERVAL_NS) {
                look(nowNs);
            }
        }
        return state;
    }

    private void look(long nowNs) {
        if (!isThere()) {
            wasAway = true;
            lookedNs = nowNs;
            return;
        }
        lookedNs = nowNs;
        if ((function.read(EduDescriptor.DMA_COMMAND_OFFSET) & EduDescriptor.DMA_RUN) != 0) {
            return;
        }
        if (!ended) {
            ended = true;
            endedNs = nowNs;
        }
        if (!interrupted.get() && !wasAway) {
            if (nowNs - endedNs < INTERRUPT_WAY_NS) {
                return;
            }
            health.count(DeviceHealth.Event.LOST_INTERRUPT);
        }
        acknowledge();
        if (wasAway) {
            state = State.FAILED;
        } else if (state == State.READING) {
            state = State.WRITING;
            run(EduDescriptor.BUFFER, destination, EduDescriptor.DMA_TO_MEMORY);
        } else {
            state = State.DONE;
        }
    }

    private void acknowledge() {
        int status = function.read(EduDescriptor.INTERRUPT_STATUS_OFFSET);
        function.write(EduDescriptor.INTERRUPT_ACKNOWLEDGE_OFFSET, status);
    }

    /** Becomes idle again, after the caller has seen the end of the copy. */
    void idle() {
        state = State.IDLE;
    }

    /**
     * Ends a running transfer. The device has no reset register: a running transfer finishes without effect while bus
     * mastering is off.
     */
    void reset() throws IOException {
        long deadline = System.nanoTime() + RESET_TIMEOUT_NS;
        function.busMastering(false);
        while (!isThere() || (function.read(EduDescriptor.DMA_COMMAND_OFFSET) & EduDescriptor.DMA_RUN) != 0) {
            if (System.nanoTime() - deadline > 0) {
                throw new IOException(function.name() + " does not recover from a reset");
            }
            LockSupport.parkNanos(LOOK_INTERVAL_NS);
        }
        acknowledge();
        function.busMastering(true);
        state = State.IDLE;
    }
}
