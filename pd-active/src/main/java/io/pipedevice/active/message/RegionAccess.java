// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.message;

/** How the place where a message runs reaches the regions of its function. */
public interface RegionAccess {
    /**
     * The length of a region.
     *
     * @param region the number of a region of the function
     * @return in bytes
     */
    long size(int region);

    /**
     * Executes an operation, now or later. The offset was not checked: {@link RegionOperation#statusIn} does that. A
     * failure is a {@linkplain RegionOperation#status(int) status}, and no exception.
     *
     * @param operation the operation. After this it has a value, or the status of a failure
     * @return false if nothing was done: the run waits, until something executes {@link MessageRun#operation} and lets
     *     it go on
     */
    boolean execute(RegionOperation operation);
}
