// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.data;

import java.util.BitSet;

/** The sockets of an attached process, by the ids that the process knows them by. Belongs to the driver's thread. */
public final class ProcessSockets {
    private final AttachedProcess process;
    private final ProcessPages pages;
    private final Endpoint[] endpoints;
    private final int[] generations;
    private final BitSet usedSids = new BitSet();
    private int nextSid;
    private int count;
    private boolean closed;

    /** Begins without sockets. */
    ProcessSockets(AttachedProcess process, ProcessPages pages) {
        this.process = process;
        this.pages = pages;
        this.endpoints = new Endpoint[pages.maxSockets()];
        this.generations = new int[pages.maxSockets()];
    }

    /**
     * Creates a socket.
     *
     * @return the socket, or null if the process has reached its limit
     */
    public Endpoint add() {
        if (count >= Math.min(process.limits.sockets(), endpoints.length)) {
            return null;
        }
        int sid = usedSids.nextClearBit(nextSid);
        if (sid >= endpoints.length) {
            sid = usedSids.nextClearBit(0);
        }
        nextSid = sid + 1 < endpoints.length ? sid + 1 : 0;
        usedSids.set(sid);
        count++;
        process.counters.sockets(count);
        int generation = ++generations[sid];
        Slot slot = pages.slot(sid);
        slot.open(generation);
        Endpoint endpoint = new Endpoint(process, sid, generation, slot);
        endpoints[sid] = endpoint;
        return endpoint;
    }

    /**
     * The socket with an id that the process named, or null if there is none.
     *
     * @param sid any number
     * @return the socket or null
     */
    public Endpoint get(int sid) {
        return sid >= 0 && sid < endpoints.length ? endpoints[sid] : null;
    }

    /**
     * The socket with the lowest id of at least {@code from}, or null; for iteration while sockets may be removed.
     *
     * @param from 0 or more
     * @return the socket or null
     */
    public Endpoint next(int from) {
        int sid = usedSids.nextSetBit(from);
        return sid < 0 ? null : endpoints[sid];
    }

    /**
     * Removes a socket that was released; its id may be used again.
     *
     * @param endpoint a socket of this process
     */
    public void remove(Endpoint endpoint) {
        endpoints[endpoint.sid] = null;
        usedSids.clear(endpoint.sid);
        count--;
        process.counters.sockets(count);
    }

    /** Records that all sockets are closed, and that the process, which is gone, gets no other one. */
    public void closed() {
        closed = true;
    }

    /**
     * Whether the process is gone, and all its sockets are closed and released.
     *
     * @return false while one lingers
     */
    public boolean areReleased() {
        return closed && count == 0;
    }

    /**
     * The number of sockets.
     *
     * @return 0 or more, including those that linger
     */
    public int count() {
        return count;
    }
}
