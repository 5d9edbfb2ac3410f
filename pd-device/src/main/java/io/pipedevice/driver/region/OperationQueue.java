// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

import io.pipedevice.active.operation.CallFlags;
import io.pipedevice.active.operation.CompletionDescriptor;
import io.pipedevice.active.operation.OperationCode;
import io.pipedevice.active.operation.OperationConsumer;
import io.pipedevice.active.operation.OperationRequest;
import io.pipedevice.active.operation.OperationStatus;
import io.pipedevice.active.protocol.RegionMessage;
import io.pipedevice.driver.data.OperationCopies;
import io.pipedevice.driver.share.ProcessCounters.Gathered;
import io.pipedevice.driver.share.Share;

/**
 * The driver's side of a queue pair. Takes requests in order, checks each, and completes them in order. Copies overlap:
 * up to {@link #WINDOW} are under way, all in one lane of the device, which executes them in order. An operation on
 * eight bytes and a fence begin when everything before has ended. Belongs to the driver's thread.
 */
final class OperationQueue extends ArmedRing implements OperationCopies.Target, CallExecutor.Caller {
    /** Most operations that are under way. */
    private static final int WINDOW = 16;

    /** The cost of an operation on eight bytes besides its request, in requests. */
    private static final int WORD_COST = 2;

    /** An operation that has begun. */
    private static final class UnderWay {
        long id;
        long value;
        int status;
        int copies;
        boolean submitted;
        RegisteredRegion target;
        RegisteredRegion buffer;
    }

    /** Is notified of what a queue pair does. */
    interface Turns {
        /** A queue pair wants a turn. */
        void activate(OperationQueue queue);

        /** Entries were put into a ring, for which a thread may sleep. */
        void filled(ArmedRing ring);

        /** The calls of the process. */
        CallExecutor calls();
    }

    private final OperationConsumer ring;
    private final RegionHandles handles;
    private final OperationCopies copies;
    private final Turns turns;
    private final WordOperations words = new WordOperations();

    /** The number by which its lane is chosen. */
    private final int laneNumber;

    /** The request that was taken last, until all of it was submitted. */
    private final OperationRequest current = new OperationRequest();

    private boolean taken;

    /** Of the current request: the bytes that were submitted; -1 before it has begun. */
    private long offset = -1;

    /** A ring of operations under way; null before the first. */
    private UnderWay[] window;

    private int head;
    private int count;

    /** Calls that have begun and not ended. */
    private int calls;

    private boolean active;

    /** Whether a turn is under way, after which the caller decides about the next one. */
    private boolean inTurn;

    private boolean stopped;
    private int submitted;

    /**
     * Begins with a queue pair that was not used.
     *
     * @param handles the regions of the process
     * @param number of the queue pair
     */
    OperationQueue(RegionHandles handles, OperationCopies copies, int number, OperationConsumer ring, Turns turns) {
        super(handles.process);
        this.handles = handles;
        this.copies = copies;
        this.ring = ring;
        this.turns = turns;
        this.laneNumber = process.cid + number;
    }

    @Override
    protected long arm() {
        return ring.arm();
    }

    void activateIfPosted() {
        if (!active && !ring.isEmpty()) {
            activate();
        }
    }

    private void activate() {
        if (!active) {
            active = true;
            turns.activate(this);
        }
    }

    /** The number of copies that the last turn submitted to the device. */
    int submitted() {
        return submitted;
    }

    /**
     * Does what can be done in a turn; returns what is needed next. It is not among those that want a turn any more.
     */
    Need turn(long nowNs) {
        active = false;
        inTurn = true;
        submitted = 0;
        if (window == null) {
            window = new UnderWay[WINDOW];
            for (int i = 0; i < WINDOW; i++) {
                window[i] = new UnderWay();
            }
        }
        Share share = process.share;
        long end = share.usedNs() + Share.SOCKET_TURN_NS;
        Need need = Need.NOTHING;
        while (need == Need.NOTHING) {
            if (!share.hasCredit()) {
                need = Need.CREDIT;
            } else if (share.usedNs() >= end) {
                need = Need.TURN;
            } else {
                need = taken ? advance(nowNs) : take();
            }
        }
        inTurn = false;
        return need;
    }

    /** Records that it is among those that want a turn again. */
    void activated() {
        active = true;
    }

    private Need take() {
        if (count == WINDOW) {
            return Need.COMPLETION;
        }
        if (!ring.hasRoom() || !ring.take(current)) {
            return Need.REQUEST;
        }
        process.share.requests(1);
        taken = true;
        offset = -1;
        return Need.NOTHING;
    }

    private Need advance(long nowNs) {
        if (current.code() == OperationCode.READ || current.code() == OperationCode.WRITE) {
            return offset < 0 ? begin() : copy(nowNs);
        }
        if (current.code() == OperationCode.CALL
                && CallFlags.isOver(current.operand(), current.secondOperand(), nowNs)) {
            taken = false;
            process.counters.count(Gathered.FAILED_CALLS, 1);
            int delayNs = CompletionDescriptor.delay(current.secondOperand(), nowNs);
            ring.complete(current.id(), 0, OperationStatus.TIME, delayNs);
            turns.filled(this);
            return Need.NOTHING;
        }
        if (count > 0 || (calls > 0 && current.code() == OperationCode.FENCE)) {
            return Need.COMPLETION;
        }
        if (copies.allowed(process, nowNs) == 0) {
            return Need.RATE;
        }
        if (current.code() == OperationCode.CALL) {
            return call(nowNs);
        }
        taken = false;
        int status = words.execute(current, handles);
        process.share.requests(WORD_COST);
        copies.moved(process, Long.BYTES);
        count(Long.BYTES);
        ring.complete(current.id(), words.value(), status);
        turns.filled(this);
        return Need.NOTHING;
    }

    private void count(int bytes) {
        process.counters.count(Gathered.OPERATIONS, 1);
        process.counters.count(Gathered.OPERATION_BYTES, bytes);
    }

    private Need call(long nowNs) {
        if (!turns.calls().hasRoom(this, current)) {
            return Need.COMPLETION;
        }
        taken = false;
        calls++;
        process.share.requests(WORD_COST);
        turns.calls().begin(current, this, nowNs);
        return Need.NOTHING;
    }

    @Override
    public void ended(long id, long value, int status, int delayNs) {
        calls--;
        if (!stopped) {
            ring.complete(id, value, status, delayNs);
            turns.filled(this);
            if (!inTurn) {
                activate();
            }
        }
    }

    @Override
    public void roomForCalls() {
        if (!stopped) {
            activate();
        }
    }

    private Need begin() {
        int status = check();
        UnderWay operation = window[(head + count) % WINDOW];
        count++;
        operation.id = current.id();
        operation.value = 0;
        operation.status = status;
        operation.copies = 0;
        operation.submitted = status != OperationStatus.OK;
        if (status == OperationStatus.OK) {
            operation.target = handles.handle(current.target()).target;
            operation.buffer = handles.handle(current.buffer()).target;
            operation.target.begin();
            operation.buffer.begin();
            offset = 0;
            count(current.length());
        } else {
            taken = false;
            complete();
        }
        return Need.NOTHING;
    }

    /** The status that the current copy would have now. */
    private int check() {
        int right = current.code() == OperationCode.READ ? RegionMessage.READ : RegionMessage.WRITE;
        int status = handles.check(current.target(), right, current.targetOffset(), current.length());
        return status == OperationStatus.OK
                ? handles.checkBuffer(current.buffer(), current.bufferOffset(), current.length())
                : status;
    }

    /** Submits a piece of the current copy. Rights are checked for each piece. */
    private Need copy(long nowNs) {
        UnderWay operation = window[(head + count - 1) % WINDOW];
        if (offset > 0 && operation.status == OperationStatus.OK) {
            operation.status = check();
        }
        if (copies.isLost()) {
            operation.status = OperationStatus.DEVICE;
        }
        if (operation.status != OperationStatus.OK) {
            return submittedAll(operation);
        }
        int piece = (int) Math.min(current.length() - offset, copies.allowed(process, nowNs));
        if (piece == 0) {
            return Need.RATE;
        }
        if (!copies.hasRoom(laneNumber)) {
            return Need.LANE;
        }
        boolean reads = current.code() == OperationCode.READ;
        RegisteredRegion from = reads ? operation.target : operation.buffer;
        RegisteredRegion to = reads ? operation.buffer : operation.target;
        long source = from.source(offset + (reads ? current.targetOffset() : current.bufferOffset()));
        long destination = to.destination(offset + (reads ? current.bufferOffset() : current.targetOffset()));
        int token = (head + count - 1) % WINDOW;
        if (!copies.submit(process, laneNumber, source, destination, piece, this, token)) {
            operation.status = OperationStatus.DEVICE;
            return submittedAll(operation);
        }
        submitted++;
        operation.copies++;
        offset += piece;
        return offset < current.length() ? Need.NOTHING : submittedAll(operation);
    }

    private Need submittedAll(UnderWay operation) {
        operation.submitted = true;
        taken = false;
        complete();
        return Need.NOTHING;
    }

    @Override
    public void copied(int token, int bytes, boolean done) {
        UnderWay operation = window[token];
        operation.copies--;
        if (!done && operation.status == OperationStatus.OK) {
            operation.status = OperationStatus.DEVICE;
        }
        complete();
        if (!stopped) {
            activate();
        }
    }

    /** Completes the operations that have ended, in order. */
    private void complete() {
        while (count > 0 && window[head].submitted && window[head].copies == 0) {
            UnderWay operation = window[head];
            head = (head + 1) % WINDOW;
            count--;
            if (!stopped) {
                ring.complete(operation.id, operation.value, operation.status);
                turns.filled(this);
            }
            if (operation.target != null) {
                operation.target.ended();
                operation.buffer.ended();
                operation.target = null;
                operation.buffer = null;
            }
        }
    }

    /** Takes nothing any more, because the process is gone. */
    void stop() {
        stopped = true;
        active = true;
        if (taken && offset >= 0) {
            submittedAll(window[(head + count - 1) % WINDOW]);
        }
        taken = false;
    }

    /** Whether no operation is under way. */
    boolean isQuiet() {
        return count == 0;
    }
}
