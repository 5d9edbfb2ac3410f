// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.net.SocketAddress;

/** The flight recorder's events of reads and writes, as this JDK makes them for its own channels. Thread safe. */
interface SocketRecorder {
    /** Whether reads are recorded. */
    boolean recordsReads();

    /** Whether writes are recorded. */
    boolean recordsWrites();

    /** The recorder's time now. */
    long time();

    /** Records a read that began at a time, if it took as long as the recording asks for. */
    void read(long start, long count, SocketAddress remote, long timeoutMillis);

    /** Records a write that began at a time, if it took as long as the recording asks for. */
    void written(long start, long count, SocketAddress remote);
}
