// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.function;

import io.pipedevice.active.CallCompletion;
import io.pipedevice.active.Calls;
import io.pipedevice.active.Place;
import io.pipedevice.active.Regions;
import io.pipedevice.active.RemoteFunction;
import io.pipedevice.active.Status;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.List;

/** Calls of functions through a driver. */
final class ActivePort implements Port {
    private final List<RemoteFunction> functions;
    private final Place place;
    private final Calls calls;

    /** For each slot and function, its message. */
    private final MemorySegment[][] messages;

    private final int[] called;
    private final CallCompletion completion = new CallCompletion();

    /** The functions stay the caller's. */
    ActivePort(Regions regions, List<RemoteFunction> functions, FunctionPlace place, int slots) throws IOException {
        this.functions = functions;
        this.place = Place.valueOf(place.name());
        calls = regions.calls(slots);
        called = new int[slots];
        messages = new MemorySegment[slots][functions.size()];
        for (MemorySegment[] each : messages) {
            for (int function = 0; function < each.length; function++) {
                each[function] = calls.message(functions.get(function));
            }
        }
    }

    @Override
    public int slots() {
        return messages.length;
    }

    @Override
    public MemorySegment prepare(int slot, int function) {
        called[slot] = function;
        return messages[slot][function];
    }

    @Override
    public void post(int slot) throws IOException {
        int function = called[slot];
        if (!calls.post(slot, functions.get(function), messages[slot][function], place)) {
            throw new IOException("a slot is free, but a call cannot be posted");
        }
    }

    @Override
    public void flush() throws IOException {
        calls.flush();
    }

    @Override
    public int poll() throws IOException {
        return calls.poll(completion) ? slot() : -1;
    }

    @Override
    public int await(long timeoutNs) throws IOException {
        return calls.await(completion, timeoutNs) ? slot() : -1;
    }

    private int slot() throws IOException {
        if (completion.status() != Status.OK) {
            throw new IOException("a call has failed: " + completion);
        }
        return (int) completion.id();
    }

    @Override
    public MemorySegment message(int slot) {
        return messages[slot][called[slot]];
    }

    @Override
    public long result() {
        return completion.result();
    }

    @Override
    public FunctionPlace place() {
        return FunctionPlace.valueOf(completion.place().name());
    }

    @Override
    public void close() {
        calls.close();
    }
}
