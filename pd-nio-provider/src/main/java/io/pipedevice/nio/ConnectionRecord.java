// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.net.SocketAddress;

/** What one connection counts. Its channel keeps it from the connection's beginning to its end. */
final class ConnectionRecord {
    private final KernelReason reason;

    /** Written under the channel's write lock. */
    private long bytesSent;

    /** Written under the channel's read lock. */
    private long bytesReceived;

    /** @param reason null if it is accelerated */
    ConnectionRecord(KernelReason reason) {
        this.reason = reason;
    }

    boolean accelerated() {
        return reason == null;
    }

    /** Why it is on the kernel; null if it is not. */
    KernelReason reason() {
        return reason;
    }

    /** Counts bytes that the channel took from the application. The caller holds the channel's write lock. */
    void sent(long bytes) {
        bytesSent += bytes;
    }

    /** Counts bytes that the channel gave to the application. The caller holds the channel's read lock. */
    void received(long bytes) {
        bytesReceived += bytes;
    }

    /** Ends the connection. Any thread; a second call does nothing. */
    void closed(SocketAddress local, SocketAddress remote) {}

    @Override
    public String toString() {
        return (reason == null ? "rings" : "kernel (" + reason + ")") + ", " + bytesSent + " bytes sent, "
                + bytesReceived + " received";
    }
}
