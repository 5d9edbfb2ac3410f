// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

/** A request on the control connection that is answered with an error; the container goes on. */
final class Refusal extends Exception {
    private static final long serialVersionUID = 1;

    private final int errno;

    Refusal(int errno, String message) {
        super(message, null, false, false);
        this.errno = errno;
    }

    int errno() {
        return errno;
    }
}
