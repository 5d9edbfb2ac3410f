// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

/** The traffic of a connection while it is measured. */
enum Phase {
    /** Messages one way; no thread accesses the payload. */
    UNTOUCHED("payload untouched"),

    /** Messages one way; the sender writes and the receiver reads every word of the payload. */
    TOUCHED("payload written and read"),

    /** Round trips of one message at a time. */
    PING_PONG("round trips");

    private final String title;

    Phase(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }
}
