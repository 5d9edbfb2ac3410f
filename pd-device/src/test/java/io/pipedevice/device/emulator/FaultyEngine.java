// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.emulator;

import io.pipedevice.queue.Command;
import java.util.Random;

/** An engine that causes the faults of its {@link FaultPlan}. */
final class FaultyEngine extends Engine {
    private static final int SHUFFLED_BATCH = 4;

    private final FaultPlan plan;
    private final LaneFault[] states;
    private final int[] order;
    private long round;

    /** The faults that are active on a lane. */
    private static final class LaneFault {
        /** The lane's current command was taken and waits for its execution. */
        boolean waiting;

        long due;
        FaultPlan.Fault fault = FaultPlan.Fault.NONE;

        /** A completion that waits for the one after it. */
        final Command heldBack = new Command();

        boolean holds;
    }

    FaultyEngine(EngineLane[] lanes, AddressTable addresses, int maxTransfer, FaultPlan plan) {
        super(lanes, addresses, maxTransfer);
        this.plan = plan;
        this.states = new LaneFault[lanes.length];
        this.order = new int[lanes.length];
        for (int i = 0; i < lanes.length; i++) {
            states[i] = new LaneFault();
            order[i] = i;
        }
    }

    @Override
    int run() {
        if (plan.isStopped()) {
            return 0;
        }
        round++;
        Random random = plan.order();
        if (random != null) {
            shuffle(random);
        }
        int work = 0;
        for (int lane : order) {
            int batch = random == null ? TURN_COMMANDS : random.nextInt(SHUFFLED_BATCH + 1);
            work += serve(lanes[lane], states[lane], batch);
            // A skipped lane may have work. The thread that runs the engine must not consider the engine idle.
            work += batch == 0 && hasWork(lane) ? 1 : 0;
        }
        return work;
    }

    private void shuffle(Random random) {
        for (int i = order.length - 1; i > 0; i--) {
            int j = random.nextInt(i + 1);
            int swapped = order[i];
            order[i] = order[j];
            order[j] = swapped;
        }
    }

    @Override
    boolean hasWork() {
        for (int i = 0; i < lanes.length; i++) {
            if (!plan.isStopped() && hasWork(i)) {
                return true;
            }
        }
        return false;
    }

    private boolean hasWork(int lane) {
        return states[lane].waiting || lanes[lane].hasWork();
    }

    private int serve(EngineLane lane, LaneFault state, int batch) {
        int work = 0;
        boolean going = lane.unblock();
        while (going && work < batch && (state.waiting || take(lane, state))) {
            work++;
            going = round >= state.due && step(lane, state);
        }
        lane.endTurn();
        return work;
    }

    private boolean take(EngineLane lane, LaneFault state) {
        if (!lane.take()) {
            return false;
        }
        state.waiting = true;
        state.due = round + plan.delay();
        state.fault = plan.take();
        return true;
    }

    /** Executes the current command with its fault; false if the lane's turn ends. */
    private boolean step(EngineLane lane, LaneFault state) {
        FaultPlan.Fault fault = state.fault;
        state.fault = FaultPlan.Fault.NONE;
        if (fault.kind == FaultPlan.Kind.STALL || fault.kind == FaultPlan.Kind.DIE) {
            stop(fault.kind);
            return false;
        }
        state.waiting = false;
        Command command = lane.command;
        int status = fault.kind == FaultPlan.Kind.FAIL ? fault.value : execute(command);
        switch (fault.kind) {
            case LOSE -> {
                return true;
            }
            case HOLD_BACK -> {
                postHeldBack(lane, state);
                copy(command, state.heldBack, command.entrySequence()).complete(status);
                state.holds = true;
                return true;
            }
            case MISDIRECT -> copy(command, command, fault.value);
            case DUPLICATE -> lane.postOther(command.complete(status));
            default -> {}
        }
        boolean room = lane.post(status);
        postHeldBack(lane, state);
        return room;
    }

    private static void postHeldBack(EngineLane lane, LaneFault state) {
        if (state.holds) {
            state.holds = false;
            lane.postOther(state.heldBack);
        }
    }

    private void stop(FaultPlan.Kind kind) {
        if (kind == FaultPlan.Kind.DIE) {
            plan.die();
        } else {
            plan.stall();
        }
    }

    private static Command copy(Command from, Command to, int entrySequence) {
        return to.set(
                from.type(),
                from.source(),
                from.destination(),
                from.length(),
                from.containerId(),
                from.connectionId(),
                from.tableId(),
                entrySequence,
                from.tag());
    }

    @Override
    void drain(int status) {
        for (int i = 0; i < lanes.length; i++) {
            LaneFault state = states[i];
            postHeldBack(lanes[i], state);
            if (state.waiting) {
                state.waiting = false;
                lanes[i].postOther(lanes[i].command.complete(status));
            }
        }
        super.drain(status);
    }
}
