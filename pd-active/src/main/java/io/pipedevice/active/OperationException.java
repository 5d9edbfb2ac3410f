// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import java.io.IOException;

/** Thrown when a one-sided operation was not done. */
public final class OperationException extends IOException {
    private static final long serialVersionUID = 1;

    /** How the operation ended. */
    private final Status status;

    OperationException(Status status, Object target) {
        super(target + ": " + status.text());
        this.status = status;
    }

    /**
     * How the operation ended.
     *
     * @return not {@link Status#OK}
     */
    public Status status() {
        return status;
    }
}
