// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

/** A transport does not run on this machine; the message gives the reason. */
public final class UnavailableException extends Exception {
    private static final long serialVersionUID = 1;

    /**
     * Creates an exception.
     *
     * @param reason for a person
     */
    public UnavailableException(String reason) {
        super(reason);
    }
}
