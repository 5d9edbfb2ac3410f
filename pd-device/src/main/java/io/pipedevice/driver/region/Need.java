// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

/** What a queue pair, or the calls of a process, need before they can continue. */
public enum Need {
    /** A request. */
    REQUEST,
    /** The end of an operation that is under way. */
    COMPLETION,
    /** Another turn. */
    TURN,
    /** Room in its lane. */
    LANE,
    /** More credit. */
    CREDIT,
    /** A rate that is not used up. */
    RATE,
    /** It needs nothing. Only within a turn. */
    NOTHING
}
