// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import io.pipedevice.active.bpf.InvalidProgramException;
import io.pipedevice.active.bpf.verifier.UnsafeProgramException;
import io.pipedevice.active.code.FunctionCode;
import io.pipedevice.driver.data.AttachedProcess;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ThreadClock;
import io.pipedevice.wait.FairTimeout;
import java.util.concurrent.TimeUnit;

/** The verification of a program for a message that waits. Begun and finished by the driver's thread. */
final class Verification {
    /**
     * Programs of other processes are verified for this time, if the driver has a processor. The client gives its
     * driver up after 10 s, and its own verification may take 2; it may take 5 only in a JVM that has hardly verified
     * anything before.
     */
    private static final long LONGEST_WAIT_NS = TimeUnit.SECONDS.toNanos(7);

    /** The request of the process. */
    final Registration registration;

    /** The process. */
    final AttachedProcess process;

    private final Runnable resume;
    private final FairTimeout timeout = new FairTimeout(System.nanoTime(), LONGEST_WAIT_NS);
    private boolean late;

    /** Written by the verifying thread before the driver's thread gets this back. */
    private FunctionCode code;

    private String problem;
    private long cpuNs;
    private boolean taken;

    Verification(AttachedProcess process, Registration registration, Runnable resume) {
        this.process = process;
        this.registration = registration;
        this.resume = resume;
    }

    /** Verifies; on the verifying thread. */
    @SuppressWarnings("CatchAndPrintStackTrace")
    void run(ThreadClock clock) {
        long start = clock.cpuNs();
        try {
            // A copy, because the process may change the memory object meanwhile.
            byte[] bytes = registration.program().read(registration.size());
            code = FunctionCode.of(
                    bytes,
                    registration.symbol(),
                    registration.messageLength(),
                    registration.regions().size(),
                    registration.fuel());
        } catch (InvalidProgramException | UnsafeProgramException e) {
            problem = e.getMessage();
        } catch (LinuxException | RuntimeException | Error e) {
            problem = "the driver cannot verify it: " + e;
        } finally {
            cpuNs = clock.cpuNs() - start;
        }
    }

    /** Whether this has waited for too long. It is not verified then. */
    boolean isOverdue() {
        late = timeout.isOver();
        return late;
    }

    /**
     * Whether programs of other processes were verified for too long.
     *
     * @return true if this one was not verified
     */
    boolean isLate() {
        return late;
    }

    /** Has the message handled again; returns false if nothing took the result. */
    boolean finish() {
        resume.run();
        return taken;
    }

    /**
     * The sentence of the verifier.
     *
     * @return null if the program is safe
     */
    String problem() {
        return problem;
    }

    /** The memory of the code. */
    long codeBytes() {
        return code.function().codeBytes();
    }

    /** The processor time that the verification took. */
    long cpuNs() {
        return cpuNs;
    }

    /** The code; the program's memory object is the caller's from now on. */
    FunctionCode take() {
        taken = true;
        return code;
    }
}
