// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.emulator;

import io.pipedevice.device.DeviceHealth;
import io.pipedevice.device.DeviceLane;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandConsumer;
import io.pipedevice.queue.CommandProducer;
import io.pipedevice.queue.CommandType;

/** The driver's end of a lane. */
final class EmulatorLane implements DeviceLane {
    private final CommandProducer submissions;
    private final CommandConsumer completions;
    private final Interrupt interrupt;
    private final EngineHost host;
    private final int depth;
    private final DeviceHealth health;
    private int outstanding;
    private boolean submitted;
    private boolean taken;

    EmulatorLane(
            CommandProducer submissions,
            CommandConsumer completions,
            Interrupt interrupt,
            EngineHost host,
            int depth,
            DeviceHealth health) {
        this.submissions = submissions;
        this.completions = completions;
        this.interrupt = interrupt;
        this.host = host;
        this.depth = depth;
        this.health = health;
    }

    @Override
    public boolean submit(Command command) {
        if (outstanding == depth || !submissions.offer(command)) {
            return false;
        }
        outstanding++;
        submitted = true;
        return true;
    }

    @Override
    public void flush() {
        if (submitted) {
            submitted = false;
            submissions.flush();
            host.ring();
        }
    }

    @Override
    public boolean complete(Command into) {
        if (!completions.poll(into)) {
            return false;
        }
        // A broken device may complete more than was submitted.
        outstanding = Math.max(0, outstanding - 1);
        taken = true;
        if (into.tag() == CommandType.STATUS_OK) {
            health.copied(into.length());
        }
        return true;
    }

    @Override
    public void flushCompletions() {
        if (taken) {
            taken = false;
            completions.flush();
            host.ring();
        }
    }

    @Override
    public boolean requestInterrupt() {
        interrupt.arm();
        if (!completions.isEmpty() || host.needsPoll()) {
            interrupt.cancel();
            return false;
        }
        return true;
    }

    @Override
    public void cancelInterrupt() {
        interrupt.cancel();
    }

    /** After a reset only the commands with an available completion are outstanding; the device lost the others. */
    void resynchronise(int available) {
        outstanding = depth - available;
    }

    @Override
    public int outstanding() {
        return outstanding;
    }
}
