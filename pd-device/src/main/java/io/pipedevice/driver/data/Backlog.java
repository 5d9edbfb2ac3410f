// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import java.util.ArrayDeque;

/**
 * The connections that wait for accept at a listener, and the receive rings that accepted sockets get. Belongs to the
 * driver's thread.
 *
 * @param <S> sockets
 */
public final class Backlog<S> {
    private final Slot slot;
    private final ArrayDeque<S> waiting = new ArrayDeque<>();
    private int limit;
    private int ringSize;
    private int ringStart;

    /** Creates an empty backlog, whose size is published in the listener's words. */
    Backlog(Slot slot) {
        this.slot = slot;
    }

    void set(int newLimit, int newRingSize, int newRingStart) {
        limit = newLimit;
        ringSize = newRingSize;
        ringStart = newRingStart;
    }

    /**
     * The size of the receive rings of accepted sockets.
     *
     * @return in bytes
     */
    public int ringSize() {
        return ringSize;
    }

    /**
     * How much of these rings is used at first.
     *
     * @return in bytes
     */
    public int ringStart() {
        return ringStart;
    }

    /**
     * Whether as many connections wait as may.
     *
     * @return whether another one is refused
     */
    public boolean isFull() {
        return waiting.size() >= limit;
    }

    /**
     * Whether no connection waits.
     *
     * @return whether {@link #poll} has nothing to take
     */
    public boolean isEmpty() {
        return waiting.isEmpty();
    }

    /**
     * Lets a connection wait.
     *
     * @param server its end
     */
    public void add(S server) {
        waiting.add(server);
        slot.backlog(waiting.size());
    }

    /**
     * Takes the connection that has waited longest.
     *
     * @return its end, or null
     */
    public S poll() {
        S server = waiting.poll();
        slot.backlog(waiting.size());
        return server;
    }

    /** The connections that wait at a listener that is closed; its words may be those of another socket soon. */
    ArrayDeque<S> abandoned() {
        return waiting;
    }
}
