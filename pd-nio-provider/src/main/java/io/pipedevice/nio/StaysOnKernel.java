// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.nio.stat.KernelReason;

/** A connection cannot go through rings. Not an error, and so without a stack. */
final class StaysOnKernel extends Exception {
    private static final long serialVersionUID = 1;

    private final KernelReason reason;

    /** @param detail says more than the reason; null if there is no more to say */
    StaysOnKernel(KernelReason reason, String detail) {
        super(detail, null, false, false);
        this.reason = reason;
    }

    KernelReason reason() {
        return reason;
    }
}
