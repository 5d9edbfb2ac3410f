// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.share;

import org.agrona.concurrent.status.AtomicCounter;

/** The counters of one attached process; freed when it is closed. Belongs to the driver's thread. */
public final class ProcessCounters implements AutoCloseable {
    private static final Gathered[] GATHERED = Gathered.values();

    private final AtomicCounter sockets;
    private final AtomicCounter sendMemory;
    private final AtomicCounter receiveMemory;
    private final AtomicCounter sent;
    private final AtomicCounter received;
    private final AtomicCounter commands;
    private final AtomicCounter engineNs;

    /** The counters whose changes are gathered until {@link #share}, indexed by {@link Gathered}. */
    private final AtomicCounter[] gathered = new AtomicCounter[GATHERED.length];

    private final long[] values = new long[GATHERED.length];
    private long bytesSent;
    private long bytesReceived;
    private long messages;
    private long sendMemoryNow;
    private long receiveMemoryNow;
    private long connectionsMade;
    private int connectionsOpen;

    /** The counters that change often, and are published at intervals. */
    public enum Gathered {
        /** Regions of a process. */
        REGIONS(CounterType.PROCESS_REGIONS),
        /** Bytes of a process's regions. */
        REGION_BYTES(CounterType.PROCESS_REGION_BYTES),
        /** One-sided operations of a process on regions. */
        OPERATIONS(CounterType.PROCESS_OPERATIONS),
        /** Bytes that one-sided operations of a process moved. */
        OPERATION_BYTES(CounterType.PROCESS_OPERATION_BYTES),
        /** Functions of a process. */
        FUNCTIONS(CounterType.PROCESS_FUNCTIONS),
        /** Calls of a process that ended at the device. */
        DEVICE_CALLS(CounterType.PROCESS_DEVICE_CALLS),
        /** Calls of a process that ended in the process of the owner of a function. */
        HOST_CALLS(CounterType.PROCESS_HOST_CALLS),
        /** Times that a call of a process left a place before its end. */
        MOVED_CALLS(CounterType.PROCESS_MOVED_CALLS),
        /** Calls of a process that ended without a result. */
        FAILED_CALLS(CounterType.PROCESS_FAILED_CALLS);

        private final CounterType type;
        private final int index;

        Gathered(CounterType type) {
            this.type = type;
            this.index = type.id() - CounterType.PROCESS_REGIONS.id();
        }
    }

    /**
     * Allocates the counters of a process.
     *
     * @param counters of the driver
     * @param cid the number of its attachment
     * @param owner for the label
     */
    public ProcessCounters(DriverCounters counters, int cid, String owner) {
        sockets = counters.allocate(CounterType.PROCESS_SOCKETS, cid, owner);
        sendMemory = counters.allocate(CounterType.PROCESS_SEND_MEMORY, cid, owner);
        receiveMemory = counters.allocate(CounterType.PROCESS_RECEIVE_MEMORY, cid, owner);
        sent = counters.allocate(CounterType.PROCESS_SENT, cid, owner);
        received = counters.allocate(CounterType.PROCESS_RECEIVED, cid, owner);
        commands = counters.allocate(CounterType.PROCESS_COMMANDS, cid, owner);
        engineNs = counters.allocate(CounterType.PROCESS_ENGINE_NS, cid, owner);
        for (Gathered each : GATHERED) {
            gathered[each.index] = counters.allocate(each.type, cid, owner);
        }
    }

    /**
     * Sets the number of sockets.
     *
     * @param count 0 or more
     */
    public void sockets(int count) {
        sockets.setRelease(count);
    }

    /**
     * Sets the size of the send regions.
     *
     * @param bytes of all together
     */
    public void sendMemory(long bytes) {
        sendMemoryNow = bytes;
        sendMemory.setRelease(bytes);
    }

    /**
     * Sets the size of the receive regions.
     *
     * @param bytes of all together
     */
    public void receiveMemory(long bytes) {
        receiveMemoryNow = bytes;
        receiveMemory.setRelease(bytes);
    }

    /**
     * Counts bytes that the process sent.
     *
     * @param bytes in addition
     */
    public void sent(int bytes) {
        bytesSent += bytes;
        sent.setRelease(bytesSent);
    }

    /**
     * Counts bytes that the process received.
     *
     * @param bytes in addition
     */
    public void received(int bytes) {
        bytesReceived += bytes;
        received.setRelease(bytesReceived);
    }

    /**
     * Counts something that is published at intervals.
     *
     * @param what is counted
     * @param more by how much; less than 0 where it became less
     */
    public void count(Gathered what, long more) {
        values[what.index] += more;
    }

    /** Counts a message that the process sent. */
    public void message() {
        messages++;
    }

    /** Counts a connection, whose one end the process has. */
    public void connected() {
        connectionsMade++;
        connectionsOpen++;
    }

    /** A connection has ended. */
    public void disconnected() {
        connectionsOpen--;
    }

    /**
     * The bytes that it sent.
     *
     * @return since it attached
     */
    public long bytesSent() {
        return bytesSent;
    }

    /**
     * The bytes that it received.
     *
     * @return since it attached
     */
    public long bytesReceived() {
        return bytesReceived;
    }

    /**
     * The messages that it sent.
     *
     * @return since it attached
     */
    public long messages() {
        return messages;
    }

    /**
     * The connections that it made or accepted.
     *
     * @return since it attached
     */
    public long connectionsMade() {
        return connectionsMade;
    }

    /**
     * Its connections now.
     *
     * @return those whose sockets are not released
     */
    public int connectionsOpen() {
        return connectionsOpen;
    }

    /**
     * The memory that it has now.
     *
     * @return send and receive regions, and its pages, in bytes
     */
    public long memory() {
        return sendMemoryNow + receiveMemoryNow;
    }

    /**
     * Sets the process's use of the engine, and publishes what was gathered.
     *
     * @param share the process's account
     */
    public void share(Share share) {
        commands.setRelease(share.commands());
        engineNs.setRelease(share.usedNs());
        for (int i = 0; i < values.length; i++) {
            if (values[i] != gathered[i].getPlain()) {
                gathered[i].setRelease(values[i]);
            }
        }
    }

    @Override
    public void close() {
        sockets.close();
        sendMemory.close();
        receiveMemory.close();
        sent.close();
        received.close();
        commands.close();
        engineNs.close();
        for (AtomicCounter each : gathered) {
            each.close();
        }
    }
}
