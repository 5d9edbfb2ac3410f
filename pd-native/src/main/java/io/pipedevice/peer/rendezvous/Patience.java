// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.wait.FairTimeout;

/**
 * How long a thread waits for the answer of a listener.
 *
 * @param nanos if each thread of the machine has a processor, in nanoseconds
 * @param most if there are more threads than processors, in nanoseconds; not less than the other time
 */
record Patience(long nanos, long most) {
    /** For a thread that does not wait. */
    static final Patience NONE = exactly(0);

    /** The same time in any case. */
    static Patience exactly(long nanos) {
        return new Patience(nanos, nanos);
    }

    /** The time that the listener has had to run counts. */
    static Patience fair(long nanos) {
        return new Patience(nanos, nanos * FairTimeout.BUSY_TIMES);
    }

    /** The timeout of a handshake, counted from its beginning: a thread that joins later waits for less. */
    FairTimeout from(long begin) {
        return new FairTimeout(begin, nanos, most);
    }
}
