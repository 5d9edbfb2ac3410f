// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.Serializable;

/**
 * The result of an {@link Act}.
 *
 * @param text the result that the program saw
 * @param count bytes that were moved, or a port
 */
record Outcome(String text, long count) implements Serializable {
    static Outcome of(String text) {
        return new Outcome(text, 0);
    }

    /** An exception, as the program sees it. */
    static Outcome of(Throwable e, long count) {
        return new Outcome(e.getClass().getSimpleName() + (e.getMessage() == null ? "" : ": " + e.getMessage()), count);
    }
}
