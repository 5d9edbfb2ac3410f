// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.nio.stat.KernelReason;

/**
 * Thrown when a connection cannot go through rings, so that kernel TCP serves it. It is not an error, and so has no
 * stack trace.
 */
public final class KernelFallbackException extends Exception {
    private static final long serialVersionUID = 1;

    /** Why kernel TCP serves the connection. */
    private final KernelReason reason;

    /** @param detail details of the reason; null if there are none */
    KernelFallbackException(KernelReason reason, String detail) {
        super(detail, null, false, false);
        this.reason = reason;
    }

    /**
     * Why kernel TCP serves the connection.
     *
     * @return the reason
     */
    public KernelReason reason() {
        return reason;
    }
}
