// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.device;

/**
 * What a driver's configuration says about its devices. A device whose registers say otherwise keeps to these.
 *
 * @param lanes of a device in software and of a GPU, 1 to 256
 * @param maxTransfer longest copy of one command of these, in bytes, 4 KB to 1 MB
 * @param queueDepth commands of a lane, a power of two, 2 to 65536
 * @param timeoutNs how long a device may complete nothing before it is reset, in nanoseconds
 */
public record DeviceSettings(int lanes, int maxTransfer, int queueDepth, long timeoutNs) {}
