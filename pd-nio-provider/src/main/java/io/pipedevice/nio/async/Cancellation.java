// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

/** Ends an operation that the program cancels. Thread safe. */
interface Cancellation {
    /**
     * Ends the operation.
     *
     * @param closes whether the channel is to be closed, too
     */
    void cancel(boolean closes);
}
