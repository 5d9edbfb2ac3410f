// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.region;

/** The condition under which a queue pair, or the calls of a process, go on. */
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
    /** Nothing; only within a turn. */
    NOTHING
}
