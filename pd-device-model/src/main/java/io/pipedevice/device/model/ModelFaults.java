// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.model;

import java.io.IOException;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The faults of a model of a device, for tests. Everything can be set at any time, even while the device works.
 *
 * <p>Faults of commands are numbered: command 1 is the next that any lane takes, 2 the one after that. A second fault
 * for the same command replaces the first.
 *
 * <p>Thread safe. Belongs to one model.
 */
public final class ModelFaults {
    /** The effect of a fault on a command. */
    public enum Kind {
        /** Nothing. */
        NONE,

        /** It is completed with an error and not executed; the value is the status. */
        FAIL,

        /** It is executed and never completed. */
        LOSE,

        /** It is completed twice. */
        DUPLICATE,

        /** It is completed as another one; the value is the entry sequence in the completion. */
        MISDIRECT,

        /** It is completed after the next one of its lane. */
        HOLD_BACK,

        /** The device reads from an address that is not mapped. */
        MISADDRESS,

        /** The device loses its state, as if a reset had been requested. */
        FORGET,

        /** The device stops until it is reset. */
        STALL,

        /** The device stops. It ignores its own reset, and answers only a reset by PCI. */
        HANG,

        /** The device leaves the bus for ever. */
        VANISH
    }

    /** A fault of one command. */
    static final class Fault {
        static final Fault NONE = new Fault(Kind.NONE, 0);

        final Kind kind;
        final int value;

        Fault(Kind kind, int value) {
            this.kind = kind;
            this.value = value;
        }

        /** Whether the device stops working at this command. */
        boolean stops() {
            return kind.compareTo(Kind.FORGET) >= 0;
        }
    }

    private final TreeMap<Long, Fault> pending = new TreeMap<>();
    private final AtomicInteger interruptsToLose = new AtomicInteger();
    private long taken;
    private volatile Kind state = Kind.NONE;

    /** Creates a plan of a device that works. */
    public ModelFaults() {}

    /**
     * Plans a fault.
     *
     * @param command its number, 1 for the next
     * @param kind the effect
     * @param value as the kind specifies, else 0
     * @return this
     */
    public ModelFaults at(long command, Kind kind, int value) {
        if (command < 1) {
            throw new IllegalArgumentException("commands are numbered from 1, the next: " + command);
        }
        synchronized (pending) {
            pending.put(taken + command, new Fault(kind, value));
        }
        return this;
    }

    /**
     * Plans a fault that needs no value.
     *
     * @param command its number, 1 for the next
     * @param kind the effect
     * @return this
     */
    public ModelFaults at(long command, Kind kind) {
        return at(command, kind, 0);
    }

    /**
     * Loses interrupts of lanes.
     *
     * @param count how many of the next interrupts
     * @return this
     */
    public ModelFaults loseInterrupts(int count) {
        interruptsToLose.set(count);
        return this;
    }

    /**
     * Stops the device at once.
     *
     * @param kind {@link Kind#STALL}, {@link Kind#HANG} or {@link Kind#VANISH}
     */
    public void stop(Kind kind) {
        if (state != Kind.VANISH) {
            state = kind;
        }
    }

    /** Pipeline: the fault of the command that was taken. */
    Fault take() {
        synchronized (pending) {
            Fault fault = pending.remove(++taken);
            return fault == null ? Fault.NONE : fault;
        }
    }

    boolean losesInterrupt() {
        return interruptsToLose.get() > 0 && interruptsToLose.getAndDecrement() > 0;
    }

    boolean isGone() {
        return state == Kind.VANISH;
    }

    /**
     * Whether a fault has stopped the device, by {@link #stop} or at its command.
     *
     * @return false before the fault, and after a reset that ended it
     */
    public boolean isStopped() {
        return state != Kind.NONE;
    }

    /** Handles a reset by the device's own register; false if the device ignores it. */
    boolean resetByItself() {
        if (state == Kind.STALL) {
            state = Kind.NONE;
        }
        return state == Kind.NONE;
    }

    /** Handles a reset by PCI. */
    void resetByPci() throws IOException {
        if (state == Kind.VANISH) {
            throw new IOException("the function is not there");
        }
        state = Kind.NONE;
    }
}
