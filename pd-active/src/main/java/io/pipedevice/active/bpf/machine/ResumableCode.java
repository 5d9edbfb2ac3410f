// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.machine;

/** A program whose runs can stop and resume. Immutable. */
public interface ResumableCode {
    /**
     * Creates a run, which has not begun: its {@link Continuation} says where it begins.
     *
     * @param memory memory that was laid out for this program
     * @return a run, for any number of runs one after the other
     */
    ResumableRun newRun(CheckedMemory memory);
}
