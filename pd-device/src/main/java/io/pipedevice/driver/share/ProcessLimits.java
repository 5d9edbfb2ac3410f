// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.share;

/**
 * The limits of an attached process.
 *
 * @param sockets most sockets at a time
 * @param sendMemory most bytes of send regions mapped for it
 * @param receiveMemory most bytes of receive regions allocated for it
 * @param bytesPerSecond most bytes that it may send per second, 0 for no limit
 * @param descriptors most descriptors that the driver has open for it: one for each doorbell and each region
 */
public record ProcessLimits(int sockets, long sendMemory, long receiveMemory, long bytesPerSecond, int descriptors) {}
