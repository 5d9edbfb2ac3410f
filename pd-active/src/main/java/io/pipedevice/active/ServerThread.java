// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.message.MessageFunction;
import io.pipedevice.active.message.MessageRun;
import io.pipedevice.client.DriverLink;
import io.pipedevice.client.RingWait;
import io.pipedevice.lib.PdException;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.operation.OperationStatus;
import io.pipedevice.operation.ServerLane;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;

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

    /** Runs that are not in use, by the handles of functions. */
    private final Map<Integer, ArrayDeque<ServedCall>> unused = new HashMap<>();

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

    /** Takes calls, and goes on with each; returns how many it has taken or returned. */
    private int turn() throws PdException {
        int taken = 0;
        while (running.size() < depth && lane.take()) {
            begin();
            taken++;
        }
        int returned = 0;
        for (int left = running.size(); left > 0; left--) {
            ServedCall call = running.poll();
            boolean late = call.isLate(System.nanoTime());
            if (late) {
                call.giveBack(lane);
            }
            if (late || call.step(lane, SLICE)) {
                unused.get(call.function().handle()).push(call);
                returned++;
            } else {
                running.add(call);
            }
        }
        if (taken + returned > 0) {
            link.wakeDriver();
        }
        return taken + returned;
    }

    private void begin() {
        Function function = exchange.own(lane.function());
        ServedCall call = function == null ? null : call(function);
        if (call == null) {
            lane.post(lane.number(), 0, OperationStatus.GONE, 0, 0);
        } else if (call.begin(lane, System.nanoTime())) {
            running.add(call);
        } else {
            lane.post(lane.number(), 0, OperationStatus.STATE, 0, 0);
            unused.get(function.handle()).push(call);
        }
    }

    /** A run of a function; null if the program that the driver has verified cannot be made here. */
    private ServedCall call(Function function) {
        ArrayDeque<ServedCall> free = unused.get(function.handle());
        if (free == null) {
            free = new ArrayDeque<>();
            unused.put(function.handle(), free);
        }
        ServedCall call = free.poll();
        if (call != null) {
            return call;
        }
        MessageFunction code = function.code();
        return code == null ? null : new ServedCall(function, new MessageRun(code));
    }
}
