// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.Program;
import java.util.concurrent.TimeUnit;

/** Tells programs whose verification is short from others, on every machine in the same way. */
public final class StepCount {
    private static final long NO_LIMIT_MS = TimeUnit.MINUTES.toMillis(1);

    /** Ends a verification that goes on for too long. */
    @SuppressWarnings("serial")
    private static final class TooManyException extends RuntimeException {}

    private int steps;

    private StepCount() {}

    /** Whether the verifier looks at no more than so many instructions of a program that is safe. */
    public static boolean isWithin(int most, Program program, Conditions conditions)
            throws InvalidProgramException, UnsafeProgramException {
        StepCount count = new StepCount();
        try {
            Verifier.verify(
                    program, conditions, (index, state) -> count.step(most), new Budget(NO_LIMIT_MS, NO_LIMIT_MS));
            return true;
        } catch (TooManyException e) {
            return false;
        }
    }

    private void step(int most) {
        if (++steps > most) {
            throw new TooManyException();
        }
    }
}
