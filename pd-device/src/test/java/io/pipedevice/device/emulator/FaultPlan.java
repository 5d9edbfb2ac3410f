// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.emulator;

import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;

/**
 * The faults of an emulated device, for tests of code that uses a device. Everything can be set at any time, even while
 * the device works.
 *
 * <p>Faults of single commands are numbered: command 1 is the next that the engine takes from any lane, 2 the one after
 * that. A second fault for the same command replaces the first.
 *
 * <p>Thread safe. A plan belongs to one emulator.
 */
public final class FaultPlan {
    /** The effect of a fault on a command. */
    enum Kind {
        NONE,
        FAIL,
        LOSE,
        DUPLICATE,
        MISDIRECT,
        HOLD_BACK,
        STALL,
        DIE
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
    }

    private final TreeMap<Long, Fault> pending = new TreeMap<>();
    private long taken;
    private Runnable wake;
    private volatile int delay;
    private volatile Random order;
    private volatile boolean stalled;
    private volatile boolean dead;

    /** Creates a plan of a device that works. */
    public FaultPlan() {}

    /** Creates an emulator with these faults. */
    public DmaEmulator emulator(DmaEmulator.Context context) {
        return new DmaEmulator(context, new Faults());
    }

    private final class Faults implements EngineMaker {
        @Override
        public Engine make(EngineLane[] lanes, AddressTable addresses, int maxTransfer) {
            return new FaultyEngine(lanes, addresses, maxTransfer, FaultPlan.this);
        }

        @Override
        public void attach(Runnable wake) {
            FaultPlan.this.attach(wake);
        }

        @Override
        public boolean reset() {
            return FaultPlan.this.reset();
        }
    }

    /**
     * Delays the execution of every command.
     *
     * @param rounds of the engine (calls of {@link DmaEmulator#poll}, if it has no thread) between taking a command and
     *     executing it; 0 for none
     * @return this
     */
    public FaultPlan delay(int rounds) {
        delay = rounds;
        return this;
    }

    /**
     * Serves the lanes in random order, with batches of random length, some of them empty. The order within a lane
     * stays.
     *
     * @param randomSeed of the order
     * @return this
     */
    public FaultPlan shuffleLanes(long randomSeed) {
        order = new Random(randomSeed);
        return this;
    }

    /**
     * Completes a command with an error instead of executing it.
     *
     * @param command its number, 1 for the next
     * @param status one of {@link io.pipedevice.queue.CommandType}, or any other value
     * @return this
     */
    public FaultPlan fail(long command, int status) {
        return put(command, new Fault(Kind.FAIL, status));
    }

    /**
     * Executes a command and never completes it.
     *
     * @param command its number, 1 for the next
     * @return this
     */
    public FaultPlan lose(long command) {
        return put(command, new Fault(Kind.LOSE, 0));
    }

    /**
     * Completes a command twice.
     *
     * @param command its number, 1 for the next
     * @return this
     */
    public FaultPlan duplicate(long command) {
        return put(command, new Fault(Kind.DUPLICATE, 0));
    }

    /**
     * Completes a command with the entry sequence of another one.
     *
     * @param command its number, 1 for the next
     * @param entrySequence the entry sequence in the completion, 0 to 65535
     * @return this
     */
    public FaultPlan misdirect(long command, int entrySequence) {
        return put(command, new Fault(Kind.MISDIRECT, entrySequence));
    }

    /**
     * Executes a command in its turn, and completes it after the next one of its lane: out of order.
     *
     * @param command its number, 1 for the next
     * @return this
     */
    public FaultPlan holdBack(long command) {
        return put(command, new Fault(Kind.HOLD_BACK, 0));
    }

    /**
     * Stalls the device ({@link #stall}) when it is about to execute a command.
     *
     * @param command its number, 1 for the next
     * @return this
     */
    public FaultPlan stallAt(long command) {
        return put(command, new Fault(Kind.STALL, 0));
    }

    /**
     * Kills the device ({@link #die}) when it is about to execute a command.
     *
     * @param command its number, 1 for the next
     * @return this
     */
    public FaultPlan dieAt(long command) {
        return put(command, new Fault(Kind.DIE, 0));
    }

    /** Stops executing, until {@link #release} or a reset of the device. */
    public void stall() {
        stalled = true;
    }

    /** Ends a stall. */
    public void release() {
        stalled = false;
        Runnable action;
        synchronized (pending) {
            action = wake;
        }
        if (action != null) {
            action.run();
        }
    }

    /** Stops executing for ever. The device does not even answer a reset. */
    public void die() {
        dead = true;
    }

    /**
     * Whether a fault has stopped the device.
     *
     * @return true while it is stalled or dead
     */
    public boolean isStopped() {
        return stalled || dead;
    }

    /**
     * The number of faults for commands that the engine has not taken yet.
     *
     * @return 0 or more
     */
    public int left() {
        synchronized (pending) {
            return pending.size();
        }
    }

    private FaultPlan put(long command, Fault fault) {
        if (command < 1) {
            throw new IllegalArgumentException("commands are numbered from 1, the next: " + command);
        }
        synchronized (pending) {
            pending.put(taken + command, fault);
        }
        return this;
    }

    private void attach(Runnable action) {
        Objects.requireNonNull(action);
        synchronized (pending) {
            if (wake != null) {
                throw new IllegalStateException("the fault plan is another emulator's");
            }
            wake = action;
        }
    }

    /** Engine: the fault of the command that was taken. */
    Fault take() {
        synchronized (pending) {
            Fault fault = pending.remove(++taken);
            return fault == null ? Fault.NONE : fault;
        }
    }

    /** Ends a stall; false if the device is dead. */
    private boolean reset() {
        stalled = false;
        return !dead;
    }

    int delay() {
        return delay;
    }

    /** Engine: chooses the order of the lanes; null for the usual one. */
    Random order() {
        return order;
    }
}
