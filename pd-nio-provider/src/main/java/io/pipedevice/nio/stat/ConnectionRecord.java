// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.stat;

import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The counters of one connection. {@link Statistics} creates the record; the channel keeps it from the connection's
 * beginning to its end, and ends it with {@link #closed}.
 *
 * <p>Bytes and writes are counted by the threads that hold the channel's read lock or write lock. The other methods are
 * thread safe.
 */
public final class ConnectionRecord {
    /**
     * A connection adds its bytes to the sum of all connections in steps of this size, because many threads add to it.
     */
    private static final int PUBLISHED_AT_ONCE = 4096;

    /** The first bytes of a connection are added at once. */
    private static final int FIRST = 64 << 10;

    private final StatPage page;
    private final KernelReason reason;
    private final RingPath path;
    private final int part;
    private final long beginNanos = System.nanoTime();
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean established;

    /** Written under the channel's write lock. */
    private long bytesSent;

    private long sentPublished;

    /** Writes that found rings full. Written under the channel's write lock. */
    private long writesCut;

    private long writesWaited;

    /** Written under the channel's read lock. */
    private long bytesReceived;

    private long receivedPublished;

    /**
     * Begins a connection on rings.
     *
     * @param page where bytes are counted
     * @param path of its data
     */
    ConnectionRecord(StatPage page, RingPath path) {
        this(page, null, path);
    }

    /**
     * Begins a connection on the kernel.
     *
     * @param page where it is counted
     * @param reason why it is there
     */
    ConnectionRecord(StatPage page, KernelReason reason) {
        this(page, reason, null);
    }

    private ConnectionRecord(StatPage page, KernelReason reason, RingPath path) {
        this.page = page;
        this.reason = reason;
        this.path = path;
        this.part = System.identityHashCode(this) & (StatPageDescriptor.PARTS - 1);
    }

    /**
     * Whether this connection is on rings.
     *
     * @return false if it is on kernel TCP
     */
    public boolean accelerated() {
        return reason == null;
    }

    /**
     * Returns why this connection is on kernel TCP.
     *
     * @return null if it is on rings
     */
    public KernelReason reason() {
        return reason;
    }

    /**
     * Returns how this connection's data go.
     *
     * @return null if it is on kernel TCP
     */
    public RingPath path() {
        return path;
    }

    long bytesSent() {
        return bytesSent;
    }

    long bytesReceived() {
        return bytesReceived;
    }

    long writesCut() {
        return writesCut;
    }

    long writesWaited() {
        return writesWaited;
    }

    /** Counts the connection from now on. Called once. */
    void established() {
        established = true;
        if (reason != null) {
            page.add(StatPageDescriptor.reasonOffset(reason.id()), 1);
        }
    }

    /** Time since the connection began. */
    long ageNanos() {
        return System.nanoTime() - beginNanos;
    }

    /**
     * Counts bytes that the channel took from the program. The caller holds the channel's write lock.
     *
     * @param bytes how many, 0 or more
     */
    public void sent(long bytes) {
        bytesSent += bytes;
        if (bytesSent - sentPublished >= PUBLISHED_AT_ONCE || bytesSent <= FIRST) {
            publishSent();
        }
    }

    /**
     * Counts bytes that the channel gave to the program. The caller holds the channel's read lock.
     *
     * @param bytes how many, 0 or more
     */
    public void received(long bytes) {
        bytesReceived += bytes;
        if (bytesReceived - receivedPublished >= PUBLISHED_AT_ONCE || bytesReceived <= FIRST) {
            publishReceived();
        }
    }

    /**
     * Counts a write of a non-blocking channel that took a part of its bytes. The caller holds the channel's write
     * lock.
     */
    public void writeIsCutShort() {
        writesCut++;
        page.add(StatPageDescriptor.WRITES_CUT_OFFSET, 1);
    }

    /** Counts a write of a blocking channel that waits for room. The caller holds the channel's write lock. */
    public void writeWaits() {
        writesWaited++;
        page.add(StatPageDescriptor.WRITES_WAITED_OFFSET, 1);
    }

    private void publishSent() {
        if (reason == null && bytesSent != sentPublished) {
            page.add(StatPageDescriptor.sentOffset(part), bytesSent - sentPublished);
            sentPublished = bytesSent;
        }
    }

    private void publishReceived() {
        if (reason == null && bytesReceived != receivedPublished) {
            page.add(StatPageDescriptor.receivedOffset(part), bytesReceived - receivedPublished);
            receivedPublished = bytesReceived;
        }
    }

    /**
     * Ends the connection. Does nothing if it has ended, or was never established. For a connection on rings, the
     * caller holds both locks of the channel.
     *
     * @param local the local address; null if it is no longer known
     * @param remote the peer's address; null if it is no longer known
     */
    public void closed(SocketAddress local, SocketAddress remote) {
        if (closed.getAndSet(true) || !established) {
            return;
        }
        publishSent();
        publishReceived();
        if (reason == null) {
            page.add(StatPageDescriptor.ENDED_OFFSET, 1);
        }
        if (FlightRecording.on()) {
            ConnectionEvent.commit(this, local, remote);
        }
    }

    @Override
    public String toString() {
        return (reason == null ? path.text() + " rings" : "kernel (" + reason.text() + ")") + ", " + bytesSent
                + " bytes sent, " + bytesReceived + " received";
    }
}
