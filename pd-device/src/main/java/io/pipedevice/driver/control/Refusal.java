// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.control;

import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LinuxException;

/** The refusal of a request on the control connection. The answer is an error; the process stays attached. */
public final class Refusal extends Exception {
    private static final long serialVersionUID = 1;

    private final int errno;

    /**
     * Creates a refusal.
     *
     * @param errno of the answer
     * @param message for a person
     */
    public Refusal(int errno, String message) {
        super(message, null, false, false);
        this.errno = errno;
    }

    /**
     * Creates a refusal because of a failure. If descriptors or memory have run out, it keeps that errno, so that the
     * user knows which limit to raise.
     *
     * @param why the failure
     * @param otherwise errno of any other failure
     * @param what has failed, for a person
     * @return the refusal, to be thrown
     */
    public static Refusal exhausted(Exception why, int otherwise, String what) {
        int errno = why instanceof LinuxException failed ? failed.errno() : otherwise;
        return new Refusal(Errno.isExhausted(errno) ? errno : otherwise, what + ": " + why.getMessage());
    }

    /**
     * The error.
     *
     * @return errno of the answer
     */
    public int errno() {
        return errno;
    }
}
