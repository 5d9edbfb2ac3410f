// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

/** Thrown for bytes that are no state in which a run of the function can have been saved. The message says why. */
public final class InvalidStateException extends Exception {
    private static final long serialVersionUID = 1;

    InvalidStateException(String message) {
        // another process can cause many
        super(message, null, false, false);
    }
}
