// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.emulator;

import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandConsumer;
import io.pipedevice.queue.CommandProducer;

/**
 * The engine's end of a lane. Belongs to the engine's thread, or to the thread that has shut the {@link EngineGate}.
 */
final class EngineLane {
    /** The command that is being executed. */
    final Command command = new Command();

    private final CommandConsumer submissions;
    private final CommandProducer completions;
    private final Interrupt interrupt;
    private boolean blocked;
    private boolean posted;

    EngineLane(CommandConsumer submissions, CommandProducer completions, Interrupt interrupt) {
        this.submissions = submissions;
        this.completions = completions;
        this.interrupt = interrupt;
    }

    /** Takes the next command; false if there is none. */
    boolean take() {
        return submissions.poll(command);
    }

    /** Completes the current command; false if the completion queue is full, which blocks the lane. */
    boolean post(int status) {
        command.complete(status);
        return offer();
    }

    /** Tries to post the completion that blocked the lane, if one did; false if the lane stays blocked. */
    boolean unblock() {
        return !blocked || offer();
    }

    private boolean offer() {
        blocked = !completions.offer(command);
        posted |= !blocked;
        return !blocked;
    }

    /** Posts a completion of a command other than the current one. If the queue is full, drops it and returns false. */
    boolean postOther(Command completion) {
        boolean room = completions.offer(completion);
        posted |= room;
        return room;
    }

    /** Room in the completion queue. */
    int available() {
        return completions.available();
    }

    /**
     * Publishes the positions of both queues, and raises the interrupt if one was requested and a completion was
     * posted.
     */
    void endTurn() {
        submissions.flush();
        completions.flush();
        if (posted) {
            posted = false;
            interrupt.raise();
        }
    }

    /** Whether a turn of this lane would do anything. */
    boolean hasWork() {
        return blocked ? completions.available() > 0 : !submissions.isEmpty();
    }

    /**
     * Completes all pending commands with {@code status}. Drops completions that do not fit into the completion queue.
     */
    void drain(int status) {
        if (!unblock()) {
            blocked = false;
        }
        while (take()) {
            postOther(command.complete(status));
        }
        endTurn();
    }
}
