// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

/** Closes descriptors that come from other processes, on threads that may block. Thread safe. */
public interface DescriptorCloser {
    /**
     * Closes an object soon.
     *
     * @param stranger the object to close
     */
    void close(AutoCloseable stranger);

    /**
     * Whether the process that these descriptors come from has reached its limit, so that nothing more should be
     * received from it.
     *
     * @return false if there is no limit
     */
    default boolean isFull() {
        return false;
    }
}
