// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.linux.UnixSocket;
import io.pipedevice.protocol.IntroductionMessage;

/**
 * A process, as a driver names it: the same after a restart of the driver.
 *
 * @param pid its number in the driver's PID namespace
 * @param startTime when it started, in the kernel's ticks, because numbers are used again
 */
record ProcessKey(int pid, long startTime) {
    private static final int NO_USER = 65534;

    /** The process that a message of the driver names. */
    static ProcessKey named(IntroductionMessage message) {
        return new ProcessKey(message.process(), message.startTime());
    }

    /**
     * The credentials that stand for the process in its links. The number is negative, so that it is no process's of
     * this PID namespace, in particular not this one's.
     */
    UnixSocket.Credentials credentials() {
        return new UnixSocket.Credentials(-pid, NO_USER, NO_USER);
    }
}
