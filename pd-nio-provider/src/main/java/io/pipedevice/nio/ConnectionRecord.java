// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.net.SocketAddress;
import java.util.concurrent.atomic.AtomicBoolean;

/** What one connection counts. Its channel keeps it from the connection's beginning to its end. */
final class ConnectionRecord {
    /** Bytes that a connection gathers before it adds them to the count of all, which other threads add to as well, */
    private static final int PUBLISHED_AT_ONCE = 4096;

    /** once it has moved so many: the first are counted at once. */
    private static final int FIRST = 64 << 10;

    private final StatPage page;
    private final KernelReason reason;
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
     * Begins a connection.
     *
     * @param page where bytes on rings are counted
     * @param reason null if it is accelerated
     */
    ConnectionRecord(StatPage page, KernelReason reason) {
        this.page = page;
        this.reason = reason;
        this.part = System.identityHashCode(this) & (StatPageDescriptor.PARTS - 1);
    }

    boolean accelerated() {
        return reason == null;
    }

    /** Why it is on the kernel; null if it is not. */
    KernelReason reason() {
        return reason;
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

    /** The connection exists, and counts from now on. Called once. */
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

    /** Counts bytes that the channel took from the application. The caller holds the channel's write lock. */
    void sent(long bytes) {
        bytesSent += bytes;
        if (bytesSent - sentPublished >= PUBLISHED_AT_ONCE || bytesSent <= FIRST) {
            publishSent();
        }
    }

    /** Counts bytes that the channel gave to the application. The caller holds the channel's read lock. */
    void received(long bytes) {
        bytesReceived += bytes;
        if (bytesReceived - receivedPublished >= PUBLISHED_AT_ONCE || bytesReceived <= FIRST) {
            publishReceived();
        }
    }

    /** Counts a write that took less than there was, of a channel that does not block. The caller holds the write lock. */
    void writeIsCutShort() {
        writesCut++;
        page.add(StatPageDescriptor.WRITES_CUT_OFFSET, 1);
    }

    /** Counts a write that waits until its peer makes room. The caller holds the channel's write lock. */
    void writeWaits() {
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
     * Ends the connection. A second call does nothing, nor does that for one that never came about. Of one on rings the
     * caller holds both locks of the channel.
     *
     * @param local null if it is not known any more
     * @param remote null if it is not known any more
     */
    void closed(SocketAddress local, SocketAddress remote) {
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
        return (reason == null ? "rings" : "kernel (" + reason.text() + ")") + ", " + bytesSent + " bytes sent, "
                + bytesReceived + " received";
    }
}
