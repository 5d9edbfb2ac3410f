// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.fpga;

import io.pipedevice.device.DeviceHealth;
import io.pipedevice.device.DeviceLane;
import io.pipedevice.queue.Command;
import io.pipedevice.queue.CommandConsumer;
import io.pipedevice.queue.CommandProducer;
import io.pipedevice.queue.CommandType;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * The driver's end of a lane. Doorbells carry the SQ's tail and the CQ's head to the device. The device writes the CQ's
 * tail to memory, so that the data path reads no register.
 */
final class FpgaLane implements DeviceLane {
    /** If a thread slept longer than this and then finds a completion, it checks whether an interrupt was lost. */
    private static final long SLEPT_LONG_NS = TimeUnit.MILLISECONDS.toNanos(5);

    /** An interrupt that the device raised is delivered within this time. */
    private static final long INTERRUPT_WAY_NS = TimeUnit.MICROSECONDS.toNanos(200);

    private final LaneRegisters registers;
    private final FpgaQueues queues;
    private final int threshold;
    private final int holdOffMicros;
    private final DeviceHealth health;

    /** Interrupts delivered; counted by the thread that delivers them. */
    private final AtomicInteger interrupts = new AtomicInteger();

    /** Completions that a reset left; they are taken before those in the CQ. */
    private final ArrayDeque<Command> left = new ArrayDeque<>();

    private CommandProducer submissions;
    private CommandConsumer completions;

    /** Positions since the lane was enabled. */
    private long submitted;

    private long rung;
    private long taken;
    private long givenBack;

    private int outstanding;

    /** Number of completions for which no command was submitted. A broken device could post them for ever. */
    private int surplus;

    private boolean armed;
    private long armedAtNs;
    private int interruptsBefore;

    FpgaLane(LaneRegisters registers, FpgaQueues queues, int threshold, int holdOffMicros, DeviceHealth health) {
        this.registers = registers;
        this.queues = queues;
        this.threshold = threshold;
        this.holdOffMicros = holdOffMicros;
        this.health = health;
    }

    /** Begins with empty queues, after a reset of the device. */
    void configure() throws IOException {
        queues.clear();
        submissions = queues.producer();
        completions = queues.consumer();
        submitted = 0;
        rung = 0;
        taken = 0;
        givenBack = 0;
        surplus = 0;
        armed = false;
        registers.enable(queues, threshold, holdOffMicros);
    }

    /** Called by any thread. */
    void interrupted() {
        interrupts.incrementAndGet();
    }

    @Override
    public boolean submit(Command command) {
        if (outstanding == queues.depth() || !submissions.offer(command)) {
            return false;
        }
        outstanding++;
        submitted++;
        if (submitted - rung >= threshold) {
            flush();
        }
        return true;
    }

    @Override
    public void flush() {
        if (submitted != rung) {
            submissions.flush();
            rung = submitted;
            registers.write(FpgaDescriptor.SQ_TAIL_OFFSET, (int) rung);
        }
    }

    @Override
    public boolean complete(Command into) {
        if (!left.isEmpty()) {
            into.set(left.remove());
            outstanding--;
            return true;
        }
        if (surplus == queues.depth() || !completions.poll(into)) {
            return false;
        }
        taken++;
        if (outstanding > 0) {
            outstanding--;
        } else {
            surplus++;
        }
        return true;
    }

    @Override
    public void flushCompletions() {
        if (taken != givenBack) {
            givenBack = taken;
            completions.flush();
            queues.giveBack(taken);
            registers.write(FpgaDescriptor.CQ_HEAD_OFFSET, (int) taken);
        }
    }

    @Override
    public boolean requestInterrupt() {
        if (!left.isEmpty()) {
            return false;
        }
        if (outstanding > 0) {
            armed = true;
            interruptsBefore = interrupts.get();
            armedAtNs = System.nanoTime();
            registers.write(FpgaDescriptor.ARM_OFFSET, (int) taken);
        }
        if (!completions.isEmpty()) {
            cancelInterrupt();
            return false;
        }
        return true;
    }

    @Override
    public void cancelInterrupt() {
        if (armed) {
            armed = false;
            if (interrupts.get() == interruptsBefore) {
                if (!completions.isEmpty() && System.nanoTime() - armedAtNs > SLEPT_LONG_NS) {
                    lookForLost();
                }
                registers.write(FpgaDescriptor.DISARM_OFFSET, 0);
            }
        }
    }

    /** Counts a lost interrupt if the device has raised the interrupt but it is not delivered soon. */
    private void lookForLost() {
        int status = registers.read(FpgaDescriptor.INTERRUPT_STATUS_OFFSET);
        if ((status & FpgaDescriptor.INTERRUPT_ARMED) == 0) {
            LockSupport.parkNanos(INTERRUPT_WAY_NS);
            if (interrupts.get() == interruptsBefore) {
                health.count(DeviceHealth.Event.LOST_INTERRUPT);
            }
        }
    }

    /**
     * Called after a reset, when the device executes nothing. Completed commands stay completed; the others get
     * {@code STATUS_RESET}.
     */
    void afterReset() {
        submissions.flush();
        Command completion = new Command();
        while (taken < submitted && completions.poll(completion)) {
            left.add(new Command().set(completion));
            taken++;
        }
        queues.giveBack(taken);
        CommandConsumer rest = queues.outstanding();
        while (taken < submitted && rest.poll(completion)) {
            left.add(new Command().set(completion).complete(CommandType.STATUS_RESET));
            taken++;
        }
        // Commands that a broken device lost have no completion.
        outstanding = left.size();
    }

    @Override
    public int outstanding() {
        return outstanding;
    }
}
