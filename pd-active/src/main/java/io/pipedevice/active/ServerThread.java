// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.message.MessageFunction;
import io.pipedevice.active.message.MessageRun;
import io.pipedevice.active.operation.OperationStatus;
import io.pipedevice.active.operation.ServerLane;
import io.pipedevice.client.DriverLink;
import io.pipedevice.client.RingWait;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.LazyLogger;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import org.agrona.collections.Int2ObjectHashMap;

/** A thread that runs calls of functions in the process of their owner: in turns, each for some instructions. */
final class ServerThread implements Runnable {
    private static final LazyLogger LOG = new LazyLogger(ServerThread.class);

    /** Instructions of a call at a time: tens of microseconds. */
    private static final int SLICE = 1 << 14;

    private final FunctionExchange exchange;
    private final DriverLink link;
    private final ServerLane lane;
    private final int depth;
    private final RingWait wait;
    private final ArrayDeque<ServedCall> running = new ArrayDeque<>();

    /** By the handles of functions. */
    private final Int2ObjectHashMap<Pool> pools = new Int2ObjectHashMap<>();

    /** Calls returned in this turn. */
    private int returned;

    /** Written by {@link FunctionServer}: the thread sleeps no more. */
    private volatile boolean stopping;

    /** Written by {@link FunctionServer}: no call comes any more. */
    private volatile boolean drained;

    ServerThread(FunctionExchange exchange, DriverLink link, ServerLane lane, int depth) {
        this.exchange = exchange;
        this.link = link;
        this.lane = lane;
        this.depth = depth;
        this.wait = link.newWait(new RingWait.Ring() {
            @Override
            public boolean isReady() {
                return lane.isReady() || stopping;
            }

            @Override
            public void arm(long word) {
                lane.arm(word);
            }
        });
    }

    /** Lets the thread stay awake, because it is to end. Another thread. */
    void stop() {
        stopping = true;
    }

    /** Lets the thread end when it has no call left. Another thread. */
    void end() {
        stopping = true;
        drained = true;
    }

    @Override
    public void run() {
        try {
            while (!drained || !running.isEmpty() || lane.isReady()) {
                if (turn() == 0 && running.isEmpty()) {
                    idle();
                }
            }
        } catch (PdException e) {
            LOG.get().log(Level.DEBUG, "a thread that serves calls ends: {0}", e.getMessage());
        } catch (IllegalStateException e) {
            // The attachment was closed before the server.
            LOG.get().log(Level.DEBUG, "a thread that serves calls ends", e);
        }
    }

    private void idle() throws PdException {
        if (stopping) {
            Thread.onSpinWait();
        } else {
            boolean ready = wait.await(Long.MAX_VALUE);
            assert ready;
        }
    }

    /** Takes calls, and runs a slice of each; returns how many it has taken or returned. */
    private int turn() throws PdException {
        int taken = 0;
        returned = 0;
        while (running.size() < depth && lane.take()) {
            begin();
            taken++;
        }
        for (int left = running.size(); left > 0; left--) {
            ServedCall call = running.poll();
            if (goOn(call)) {
                call.free();
                returned++;
            } else {
                running.add(call);
            }
        }
        if (returned > 0) {
            link.wakeDriver();
        }
        return taken + returned;
    }

    /** Runs a slice of a call; returns whether it was returned. */
    private boolean goOn(ServedCall call) {
        long nowNs = System.nanoTime();
        if (call.giveUp(lane, nowNs)) {
            return true;
        }
        if (call.isLate(nowNs)) {
            call.giveBack(lane);
            return true;
        }
        return call.step(lane, SLICE);
    }

    private void begin() {
        Pool pool = pool(lane.function());
        ServedCall call = pool == null ? null : pool.take();
        if (call == null) {
            lane.post(lane.number(), 0, OperationStatus.GONE, 0, 0);
            returned++;
        } else if (call.begin(lane, System.nanoTime())) {
            running.add(call);
        } else {
            lane.post(lane.number(), 0, OperationStatus.STATE, 0, 0);
            returned++;
            call.free();
        }
    }

    /**
     * The runs of a function; null if it has ended, or if its program cannot be made here although the driver accepts
     * it.
     */
    private Pool pool(int handle) {
        Pool pool = pools.get(handle);
        if (pool != null) {
            return pool;
        }
        pools.values().removeIf(each -> exchange.own(each.function.handle()) == null);
        Function function = exchange.own(handle);
        MessageFunction code = function == null ? null : function.code();
        if (code == null) {
            return null;
        }
        pool = new Pool(function, code);
        pools.put(handle, pool);
        return pool;
    }

    /** The runs of a function that are not in use. */
    private static final class Pool {
        final Function function;
        private final MessageFunction code;
        private final ArrayDeque<ServedCall> unused = new ArrayDeque<>();

        Pool(Function function, MessageFunction code) {
            this.function = function;
            this.code = code;
        }

        ServedCall take() {
            return unused.isEmpty() ? new ServedCall(function, new MessageRun(code), unused) : unused.pop();
        }
    }
}
