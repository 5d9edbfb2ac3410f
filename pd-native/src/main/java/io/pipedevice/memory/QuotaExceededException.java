// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

import java.io.IOException;

/** Thrown when a process requests more than its quota allows. */
public final class QuotaExceededException extends IOException {
    private static final long serialVersionUID = 1;

    /**
     * Creates the exception.
     *
     * @param message names the quota and how much is in use
     */
    public QuotaExceededException(String message) {
        super(message);
    }
}
