// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.operation;

import java.util.concurrent.TimeUnit;

/** When calls that have begun move from one place to another. */
public final class CallMoves {
    /** A call that has waited longer for its next turn may move. */
    public static final long PATIENCE_NS = TimeUnit.MICROSECONDS.toNanos(100);

    /** Most moves of a call between device and host. */
    public static final int MOST = 8;

    private CallMoves() {}
}
