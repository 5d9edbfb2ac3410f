// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.policy;

/**
 * The limits of a policy for all processes of one container together.
 *
 * @param connections most connections through the device at a time; 0 for as many as the driver's options allow
 * @param memory most bytes that the driver allocates for them, and most that it maps of theirs; 0 likewise
 * @param bytesPerSecond most bytes that they may send per second; 0 likewise
 * @param share part of the engine's time, as a multiple of the part of a container without limits; 1 or more
 */
public record Limits(int connections, long memory, long bytesPerSecond, int share) {
    /** The driver's options alone are the limits. */
    public static final Limits NONE = new Limits(0, 0, 0, 1);
}
