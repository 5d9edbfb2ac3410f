// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.util.concurrent.atomic.LongAdder;

/**
 * What this JVM's connections did since it started. Thread safe.
 *
 * <p>A channel calls {@link #connected} or {@link #onKernel} once, when it is decided how it connects, and keeps the
 * record, to which it adds the bytes that it moves.
 */
final class Statistics {
    private static final LongAdder CLIENTS = new LongAdder();
    private static final LongAdder ACCEPTED = new LongAdder();
    private static final LongAdder ON_KERNEL = new LongAdder();

    private Statistics() {}

    /**
     * Counts an accelerated connection.
     *
     * @param client whether this end connected, rather than accepted
     */
    static ConnectionRecord connected(boolean client) {
        (client ? CLIENTS : ACCEPTED).increment();
        return new ConnectionRecord(null);
    }

    /** Counts a connection that stays on the kernel. */
    static ConnectionRecord onKernel(KernelReason reason) {
        ON_KERNEL.increment();
        return new ConnectionRecord(reason);
    }
}
