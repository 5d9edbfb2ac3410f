// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

/** Closes descriptors that another process had a hand in, on threads that may block. Thread safe. */
public interface DescriptorCloser {
    /**
     * Closes something soon.
     *
     * @param stranger what to close
     */
    void close(AutoCloseable stranger);

    /**
     * Whether the process that these descriptors come from has reached its bound, so that nothing more should be received
     * from it.
     *
     * @return false where there is no bound
     */
    default boolean isFull() {
        return false;
    }
}
