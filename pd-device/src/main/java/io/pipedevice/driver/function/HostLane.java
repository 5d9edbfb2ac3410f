// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import io.pipedevice.active.operation.CallLane;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.driver.region.ArmedRing;
import io.pipedevice.protocol.ArmWord;

/**
 * The calls that are at one thread of a process that serves them. A call has a number, with a generation, by which it
 * comes back. Belongs to the driver's thread.
 */
final class HostLane extends ArmedRing {
    final CallLane ring;

    /** Its place among those of the process. */
    private final int index;

    private final int depth;

    /** By place; null where a call is out whose answer is not wanted any more. */
    private final Call[] calls;

    private final long[] numbers;
    private final boolean[] out;
    private final int[] free;
    private int freeCount;
    private boolean closed;

    HostLane(AttachedProcess process, CallLane ring, int index, int depth) {
        super(process);
        this.ring = ring;
        this.index = index;
        this.depth = depth;
        this.calls = new Call[depth];
        this.numbers = new long[depth];
        this.out = new boolean[depth];
        this.free = new int[depth];
        for (int place = 0; place < depth; place++) {
            numbers[place] = place;
            free[freeCount++] = place;
        }
    }

    @Override
    protected long arm() {
        return closed ? ArmWord.DISARMED : ring.arm();
    }

    /** Whether the thread is to be woken at the end of this duty cycle. */
    boolean waits() {
        return isTouched();
    }

    /** The pages are there no more. */
    void close() {
        closed = true;
    }

    /** Remembers a call that goes out; returns its number. There is room in the ring. */
    long add(Call call) {
        int place = free[--freeCount];
        calls[place] = call;
        call.lane = index;
        call.place = place;
        out[place] = true;
        numbers[place] += depth;
        return numbers[place];
    }

    /** Whether a number is that of a call that is out. */
    boolean isOut(long number) {
        int place = (int) (number & depth - 1);
        return out[place] && numbers[place] == number;
    }

    /** Takes back a call that is out; null if its answer is not wanted any more. */
    Call remove(long number) {
        int place = (int) (number & depth - 1);
        Call call = calls[place];
        if (call != null) {
            forget(call);
        }
        out[place] = false;
        free[freeCount++] = place;
        return call;
    }

    /** The call at a place; null if nobody waits for a call there. */
    Call at(int place) {
        return calls[place];
    }

    /** Gives up a call that is out here: its return has no effect. */
    void forget(Call call) {
        calls[call.place] = null;
        call.lane = -1;
    }

    int depth() {
        return depth;
    }
}
