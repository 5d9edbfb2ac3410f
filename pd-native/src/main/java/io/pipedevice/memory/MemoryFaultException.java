// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.memory;

/** A buffer of the program whose memory is not there: it is mapped from a file that was truncated. */
public final class MemoryFaultException extends RuntimeException {
    private static final long serialVersionUID = 1;

    MemoryFaultException(InternalError cause) {
        super("Bad address", cause);
    }
}
