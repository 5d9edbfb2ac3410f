// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device.model;

import io.pipedevice.device.fpga.FpgaDescriptor;
import io.pipedevice.device.model.ModelFaults.Fault;
import io.pipedevice.device.model.ModelFaults.Kind;
import io.pipedevice.queue.CommandDescriptor;
import io.pipedevice.queue.CommandType;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteOrder;
import java.util.SplittableRandom;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A pipeline serves some of the lanes with a thread of its own. It takes commands of a lane, reads all their payloads
 * into the data buffer, writes the payloads, and writes the completions (Figure 8's steps). The number of commands at a
 * time is random. So lanes run out of step, and operations that the specification does not order do not happen in order
 * by accident.
 */
final class ModelPipeline implements Runnable {
    private static final int BATCH = 8;
    private static final int ENTRY = CommandDescriptor.ENTRY_LENGTH;
    private static final ValueLayout.OfLong LONG = ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfInt INT = ValueLayout.JAVA_INT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);
    private static final ValueLayout.OfShort SHORT =
            ValueLayout.JAVA_SHORT_UNALIGNED.withOrder(ByteOrder.LITTLE_ENDIAN);

    /** Held while the pipeline works, and by threads that change state that must be stable during a turn. */
    final ReentrantLock lock = new ReentrantLock();

    private final FpgaModel model;
    private final int index;
    private final ModelMemory memory;
    private final ModelLane[] lanes;
    private final int maxTransfer;
    private final SplittableRandom random;
    private final MemorySegment entries = MemorySegment.ofArray(new byte[BATCH * ENTRY]);
    private final MemorySegment dataBuffer;
    private final MemorySegment copy = MemorySegment.ofArray(new byte[ENTRY]);
    private final int[] status = new int[BATCH];
    private final Fault[] faults = new Fault[BATCH];
    private volatile Thread thread;
    private volatile boolean signalled;

    ModelPipeline(FpgaModel model, int index, ModelMemory memory, ModelLane[] lanes, int maxTransfer, long seed) {
        this.model = model;
        this.index = index;
        this.memory = memory;
        this.lanes = lanes;
        this.maxTransfer = maxTransfer;
        this.random = new SplittableRandom(seed + index);
        this.dataBuffer = MemorySegment.ofArray(new byte[BATCH * maxTransfer]);
    }

    /** Notifies the pipeline that there may be work. Any thread. */
    void signal() {
        signalled = true;
        LockSupport.unpark(thread);
    }

    /** Waits until the current turn has ended. The next turn sees all earlier changes of the caller. */
    void awaitEndOfTurn() {
        lock.lock();
        try {
            signalled = true;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void run() {
        thread = Thread.currentThread();
        while (!model.isClosed()) {
            signalled = false;
            int work = 0;
            long waitNs = Long.MAX_VALUE;
            lock.lock();
            try {
                if (model.works()) {
                    work = serve();
                    waitNs = raise();
                }
            } finally {
                lock.unlock();
            }
            work += index == 0 && model.resetIfAsked() ? 1 : 0;
            if (work == 0 && !signalled && !model.isClosed()) {
                sleep(waitNs);
            }
        }
    }

    private void sleep(long waitNs) {
        if (waitNs == Long.MAX_VALUE) {
            LockSupport.park(this);
        } else {
            LockSupport.parkNanos(this, waitNs);
        }
    }

    private int serve() {
        int work = 0;
        for (ModelLane lane : lanes) {
            if (lane.isActive()) {
                work += turn(lane);
            }
        }
        return work;
    }

    /** Raises the interrupts that are due; returns the nanoseconds until the next one. */
    private long raise() {
        long next = Long.MAX_VALUE;
        long nowNs = System.nanoTime();
        for (ModelLane lane : lanes) {
            long wait = lane.isActive() ? lane.takeInterrupt(nowNs) : Long.MAX_VALUE;
            if (wait == 0) {
                model.raise(lane.index);
            } else {
                next = Math.min(next, wait);
            }
        }
        return next;
    }

    private int turn(ModelLane lane) {
        int available = lane.available();
        int count = Math.min(available, random.nextInt(BATCH + 1));
        if (count > 0 && fetch(lane, count)) {
            int stop = plan(count);
            int executed = stop < 0 ? count : stop;
            lane.take(executed);
            readPayloads(lane, executed);
            writePayloads(lane, executed);
            complete(lane, executed);
            if (stop >= 0) {
                stop(faults[stop].kind);
                return 1;
            }
        }
        if (lane.isPublishDue()) {
            publish(lane);
        }
        return Math.max(available, 0);
    }

    private boolean fetch(ModelLane lane, int count) {
        for (int i = 0; i < count; i++) {
            long address = lane.submissionAddress(i);
            if (!memory.read(address, ENTRY, entries, (long) i * ENTRY)) {
                halt(lane, address);
                return false;
            }
        }
        return true;
    }

    private void halt(ModelLane lane, long address) {
        lane.halt(FpgaDescriptor.ERROR_QUEUE);
        model.errors().report(FpgaDescriptor.ERROR_QUEUE, address, lane.index);
    }

    /** Chooses the faults; returns the command at which the device stops, or -1. */
    private int plan(int count) {
        for (int i = 0; i < count; i++) {
            faults[i] = model.faults().take();
            if (faults[i].stops()) {
                return i;
            }
            status[i] = faults[i].kind == Kind.FAIL ? faults[i].value : check(i);
        }
        return -1;
    }

    private void stop(Kind kind) {
        if (kind == Kind.FORGET) {
            model.askForReset();
        } else {
            model.faults().stop(kind);
        }
    }

    private int check(int i) {
        if (entries.get(ValueLayout.JAVA_BYTE, at(i, CommandDescriptor.TYPE_OFFSET)) != CommandType.SEND) {
            return CommandType.STATUS_TYPE;
        }
        int length = length(i);
        return length < 1 || length > maxTransfer ? CommandType.STATUS_LENGTH : CommandType.STATUS_OK;
    }

    private static long at(int i, int field) {
        return (long) i * ENTRY + field;
    }

    private int length(int i) {
        int low = entries.get(SHORT, at(i, CommandDescriptor.LENGTH_LOW_OFFSET)) & 0xFFFF;
        return low | entries.get(SHORT, at(i, CommandDescriptor.LENGTH_HIGH_OFFSET)) << 16;
    }

    private void readPayloads(ModelLane lane, int count) {
        for (int i = 0; i < count; i++) {
            if (status[i] == CommandType.STATUS_OK) {
                long source = entries.get(LONG, at(i, CommandDescriptor.SOURCE_OFFSET));
                if (faults[i].kind == Kind.MISADDRESS) {
                    source ^= model.highestAddressBit();
                }
                if (!memory.read(source, length(i), dataBuffer, (long) i * maxTransfer)) {
                    refused(lane, i, source);
                }
            }
        }
    }

    private void writePayloads(ModelLane lane, int count) {
        for (int i = 0; i < count; i++) {
            if (status[i] == CommandType.STATUS_OK) {
                long destination = entries.get(LONG, at(i, CommandDescriptor.DESTINATION_OFFSET));
                if (!memory.write(destination, length(i), dataBuffer, (long) i * maxTransfer)) {
                    refused(lane, i, destination);
                }
            }
        }
    }

    private void refused(ModelLane lane, int i, long address) {
        status[i] = CommandType.STATUS_ADDRESS;
        model.errors().report(FpgaDescriptor.ERROR_ADDRESS, address, lane.index);
    }

    private void complete(ModelLane lane, int count) {
        for (int i = 0; i < count; i++) {
            Fault fault = faults[i];
            MemorySegment.copy(entries, (long) i * ENTRY, copy, 0, ENTRY);
            copy.set(ValueLayout.JAVA_BYTE, CommandDescriptor.TYPE_OFFSET, (byte) CommandType.COMPLETED);
            copy.set(INT, CommandDescriptor.TAG_OFFSET, status[i]);
            if (fault.kind == Kind.MISDIRECT) {
                copy.set(SHORT, CommandDescriptor.ENTRY_SEQUENCE_OFFSET, (short) fault.value);
            }
            if (fault.kind == Kind.HOLD_BACK) {
                postHeldBack(lane);
                lane.heldBack.copyFrom(copy);
                lane.holds = true;
            } else if (fault.kind != Kind.LOSE) {
                post(lane, copy);
                if (fault.kind == Kind.DUPLICATE) {
                    post(lane, copy);
                }
                postHeldBack(lane);
            }
        }
    }

    private void postHeldBack(ModelLane lane) {
        if (lane.holds) {
            lane.holds = false;
            post(lane, lane.heldBack);
        }
    }

    private void post(ModelLane lane, MemorySegment completion) {
        long address = lane.completionAddress();
        if (memory.write(address, ENTRY, completion, 0)) {
            lane.written++;
            if (lane.isPublishDue()) {
                publish(lane);
            }
        } else {
            halt(lane, address);
        }
    }

    private void publish(ModelLane lane) {
        // The register first: the driver may give entries back as soon as it sees the tail in memory.
        if (!memory.writePosition(lane.tailAddress(), lane.publish())) {
            halt(lane, lane.tailAddress());
        }
    }
}
