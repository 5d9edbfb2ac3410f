// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.code.RunStatus;
import io.pipedevice.active.message.InvalidStateException;
import io.pipedevice.active.message.MessageRun;
import io.pipedevice.active.message.RegionOperation;
import io.pipedevice.active.operation.CallFlags;
import io.pipedevice.active.operation.CallMoves;
import io.pipedevice.active.operation.OperationCode;
import io.pipedevice.active.operation.OperationProducer;
import io.pipedevice.active.protocol.FunctionMessage;
import io.pipedevice.lib.PdException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayDeque;
import java.util.IdentityHashMap;

/**
 * The calls of a queue that this process runs itself, with its own rights: their operations are requests of the queue
 * pair, and while one call waits others run. Used by one thread at a time.
 */
final class ClientPlace implements AutoCloseable {
    /** Instructions of a call at a time. */
    private static final int SLICE = 1 << 14;

    /** A copy is between a region and the message, or a frame of the stack. */
    private static final int BOUNCE = FunctionMessage.MAX_MESSAGE;

    private final RegionExchange exchange;
    private final OperationProducer ring;
    private final long mark;
    private final ClientRun[] runs;
    private final IdentityHashMap<RemoteFunction, Runs> functions = new IdentityHashMap<>();

    /** Runs that have used up their turn. */
    private final ArrayDeque<ClientRun> paused = new ArrayDeque<>();

    /** Runs that have ended and were not polled yet. */
    private final ArrayDeque<ClientRun> ended = new ArrayDeque<>();

    /** The runs of a function. */
    private static final class Runs implements AutoCloseable {
        final Region bounce;
        final ArrayDeque<ClientRun> unused = new ArrayDeque<>();

        Runs(RegionExchange exchange, RunnableFunction function, int depth) throws PdException {
            int length = Math.min(BOUNCE, Math.max(function.code().messageLength(), 512));
            this.bounce = exchange.register((long) length * depth);
            for (int i = 0; i < depth; i++) {
                unused.add(new ClientRun(exchange, function, bounce, (long) length * i));
            }
        }

        @Override
        public void close() {
            bounce.close();
        }
    }

    /**
     * Begins without calls.
     *
     * @param ring of the queue pair, which has room for an operation of each call
     * @param depth most calls
     * @param mark is set in the ids of operations
     */
    ClientPlace(RegionExchange exchange, OperationProducer ring, int depth, long mark) {
        this.exchange = exchange;
        this.ring = ring;
        this.mark = mark;
        this.runs = new ClientRun[depth];
    }

    /** Prepares to run a function. */
    void prepare(RemoteFunction function) throws PdException {
        if (!isPrepared(function)) {
            add(function, function.runnable());
        }
    }

    /**
     * As {@link #prepare}, but does not wait until the function was compiled; returns false as long as it is not
     * prepared.
     */
    boolean prepareSoon(RemoteFunction function) throws PdException {
        RunnableFunction runnable = isPrepared(function) ? null : function.runnableSoon();
        if (runnable != null) {
            add(function, runnable);
        }
        return isPrepared(function);
    }

    private void add(RemoteFunction function, RunnableFunction runnable) throws PdException {
        functions.put(function, new Runs(exchange, runnable, runs.length));
    }

    /** Whether a function was prepared. */
    boolean isPrepared(RemoteFunction function) {
        return functions.containsKey(function);
    }

    /** Begins a call of a function that was prepared; it may go on at the device if it is movable. */
    void begin(int number, OutstandingCall call) {
        ClientRun run = take(number, call);
        run.movable = call.steered;
        run.run.begin();
        step(run);
    }

    private ClientRun take(int number, OutstandingCall call) {
        ClientRun run = functions.get(call.called.function).unused.poll();
        run.number = number;
        run.outstanding = call;
        run.over = false;
        run.beganNs = System.nanoTime();
        run.waits = 0;
        runs[number] = run;
        MemorySegment message = run.run.message();
        MemorySegment.copy(call.called.buffer.memory(), call.offset, message, 0, message.byteSize());
        return run;
    }

    /**
     * Resumes a call from the state behind its message, and keeps it in this process. Returns false if the state is
     * invalid.
     */
    boolean resume(int number, OutstandingCall call, int stateLength) {
        ClientRun run = take(number, call);
        run.movable = false;
        MessageBuffer buffer = call.called.buffer;
        MessageRun.State state;
        try {
            int length = Math.clamp(stateLength, 0, buffer.length());
            state = run.run.load(buffer.memory(), buffer.state(call.offset), length);
        } catch (InvalidStateException e) {
            free(run);
            return false;
        }
        if (state == MessageRun.State.PAUSED || run.execute(run.run.operation())) {
            step(run);
        } else {
            post(run);
        }
        return true;
    }

    private void step(ClientRun run) {
        if (run.outstanding.isOver()) {
            run.over = true;
            run.state = MessageRun.State.FAILED;
            ended.add(run);
            return;
        }
        run.state = run.run.run(run, SLICE);
        switch (run.state) {
            case WAITS -> {
                run.waits++;
                post(run);
            }
            case PAUSED -> {
                run.pausedNs = System.nanoTime();
                paused.add(run);
            }
            default -> ended.add(run);
        }
    }

    private void post(ClientRun run) {
        RegionOperation operation = run.run.operation();
        int code = operation.code();
        int target = run.region().handle();
        long id = mark | run.number;
        boolean posted;
        if (code == OperationCode.READ || code == OperationCode.WRITE) {
            if (code == OperationCode.WRITE) {
                MemorySegment.copy(operation.bytes(), 0, run.bounce.memory(), run.bounceOffset, operation.length());
            }
            posted = ring.post(
                    code,
                    id,
                    target,
                    operation.offset(),
                    operation.length(),
                    run.bounce.handle(),
                    run.bounceOffset,
                    0,
                    0);
        } else {
            posted = ring.post(code, id, target, operation.offset(), 0, 0, 0, operation.operand(), operation.second());
        }
        assert posted;
    }

    /** An operation of a call has ended; returns false if the call waits for none. */
    boolean executed(int call, int status, long value) {
        ClientRun run = call < runs.length ? runs[call] : null;
        if (run == null) {
            return false;
        }
        run.executed(status, value);
        step(run);
        return true;
    }

    /** Whether a call can continue, or has ended, without the end of an operation. */
    boolean isReady() {
        return !paused.isEmpty() || !ended.isEmpty();
    }

    /** Resumes a call that has used up its turn, if there is one. */
    void turn() {
        ClientRun run = paused.poll();
        if (run == null) {
            return;
        }
        if (run.movable && System.nanoTime() - run.pausedNs > CallMoves.PATIENCE_NS) {
            sendOn(run);
        } else {
            step(run);
        }
    }

    /** Moves a call to the device, because it waits long for its turn here. */
    private void sendOn(ClientRun run) {
        OutstandingCall call = run.outstanding;
        MessageBuffer buffer = call.called.buffer;
        MemorySegment memory = buffer.memory();
        MemorySegment message = run.run.message();
        MemorySegment.copy(message, 0, memory, call.offset, message.byteSize());
        int state = run.run.save(memory, buffer.state(call.offset));
        boolean posted = ring.post(
                OperationCode.CALL,
                run.number,
                call.called.function.handle(),
                state,
                buffer.length(),
                buffer.handle(),
                call.offset,
                CallFlags.RESUME | CallFlags.MOVABLE | call.limit,
                call.postedNs);
        assert posted;
        free(run);
    }

    /** The number of a call that has ended; -1 if none has. */
    int ended() {
        ClientRun run = ended.peek();
        return run == null ? -1 : run.number;
    }

    /**
     * Takes the end of the call that {@link #ended} names; the answer is in its memory then.
     *
     * @param function of that call
     */
    void take(RemoteFunction function, CallCompletion into) {
        ClientRun run = ended.poll();
        boolean done = run.state == MessageRun.State.ENDED;
        into.status = done ? Status.OK : run.over ? Status.TIME : Status.of(RunStatus.of(run.run, function.fuel()));
        into.result = 0;
        into.delayNs = (System.nanoTime() - run.beganNs) / (run.waits + 1);
        if (done) {
            into.result = run.run.result();
            MemorySegment message = run.run.message();
            MemorySegment memory = run.outstanding.called.buffer.memory();
            MemorySegment.copy(message, 0, memory, run.outstanding.offset, message.byteSize());
        }
        free(run);
    }

    private void free(ClientRun run) {
        runs[run.number] = null;
        functions.get(run.outstanding.called.function).unused.push(run);
        run.outstanding = null;
    }

    @Override
    public void close() {
        functions.values().forEach(Runs::close);
    }
}
