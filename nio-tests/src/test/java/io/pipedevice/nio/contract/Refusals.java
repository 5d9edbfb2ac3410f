// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

/** What the JDK says if a connect is refused. */
final class Refusals {
    /** Where the thread blocks in connect(2). */
    static final String BLOCKING = "Connection refused";

    /** Where the thread waits in poll(2), or finishes the connect of a non-blocking channel. */
    static final String WAITING = BLOCKING + (Runtime.version().feature() >= 27 ? " (connect failed)" : "");

    private Refusals() {}
}
