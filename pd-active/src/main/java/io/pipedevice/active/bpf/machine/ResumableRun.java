// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.machine;

/** A run of a program that can stop, and resume later. Belongs to one thread at a time, and is reused. */
public interface ResumableRun {
    /** The progress of a run. */
    enum Progress {
        /** The program has ended. */
        ENDED,
        /** It has called a helper that could not end. It resumes with the helper's result. */
        WAITS,
        /** The fuel does not suffice for the next stretch. */
        PAUSED
    }

    /**
     * Resumes, from the {@link #continuation}.
     *
     * @param fuel how many instructions may be executed
     * @return how far the run is. Where it is then is in the continuation
     * @throws FaultException if the program does something undefined. The run cannot continue
     */
    Progress run(long fuel) throws FaultException;

    /**
     * The result of the program.
     *
     * @return any value, once it has ended
     */
    long result();

    /**
     * How much of the fuel the last turn has left.
     *
     * @return a number of instructions
     */
    long left();

    /**
     * Where the run is.
     *
     * @return the same object at all times
     */
    Continuation continuation();
}
