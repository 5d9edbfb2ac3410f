// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import io.pipedevice.active.bpf.machine.FaultException;

/** The interface of the class of a compiled program. */
interface CompiledCode {
    /** Runs the program in the frame whose end is r10, and returns r0 at the end. */
    long run(RunState state, long r1, long r2, long r10) throws FaultException;

    /** Resumes a run where it has stopped, and returns r0 at the end. Only programs that can stop have it. */
    default long resume(RunState state) throws FaultException {
        throw new UnsupportedOperationException();
    }
}
