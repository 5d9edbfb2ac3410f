// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

import java.net.SocketTimeoutException;

/** The time that a call may wait, from its creation on. Belongs to the thread of the call. */
final class Patience {
    private final long start = System.nanoTime();
    private final long timeoutNs;
    private final String what;

    /**
     * Begins to measure.
     *
     * @param timeoutNs {@link Transport#FOREVER} for no limit
     * @param what begins the exception's message
     */
    Patience(long timeoutNs, String what) {
        this.timeoutNs = timeoutNs;
        this.what = what;
    }

    /** The time that is left, more than 0; {@link Transport#FOREVER} without a limit. */
    long left() throws SocketTimeoutException {
        if (timeoutNs == Transport.FOREVER) {
            return timeoutNs;
        }
        long left = timeoutNs - (System.nanoTime() - start);
        if (left <= 0) {
            throw new SocketTimeoutException(what + " timed out");
        }
        return left;
    }
}
