// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device;

/**
 * The capabilities of a {@link Device}.
 *
 * @param maxTransfer longest copy that one command may request, in bytes, at least 1; longer ones fail with
 *     {@code STATUS_LENGTH}, so the driver splits them
 * @param alignment in bytes, a power of two: addresses and lengths of commands must be multiples of it; 1 for no
 *     restriction
 * @param lanes number of lanes, at least 1
 * @param queueDepth commands that may be outstanding on a lane, a power of two
 * @param pinsMemory whether all pages of mapped memory are allocated and locked in place, because the device reaches
 *     them by their physical addresses
 */
public record DeviceCapabilities(int maxTransfer, int alignment, int lanes, int queueDepth, boolean pinsMemory) {
    /**
     * Checks the values.
     *
     * @throws IllegalArgumentException if one is out of range
     */
    public DeviceCapabilities {
        if (maxTransfer < 1 || lanes < 1 || Integer.bitCount(alignment) != 1 || Integer.bitCount(queueDepth) != 1) {
            throw new IllegalArgumentException("maxTransfer " + maxTransfer + ", alignment " + alignment + ", lanes "
                    + lanes + ", queueDepth " + queueDepth);
        }
    }
}
