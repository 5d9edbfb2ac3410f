// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.control;

import io.pipedevice.driver.share.ProcessLimits;

/**
 * The part of the driver's configuration that concerns attachments.
 *
 * @param maxProcesses most attached processes
 * @param totalMemory most bytes that the driver allocates for all of them together
 * @param limits of each of them
 * @param hugePages whether receive regions try 2 MB pages first
 * @param lingerNs longest time that a closed socket waits for its peer to read, in nanoseconds
 * @param normalLevel log level of normal events
 */
public record SessionSettings(
        int maxProcesses,
        long totalMemory,
        ProcessLimits limits,
        boolean hugePages,
        long lingerNs,
        System.Logger.Level normalLevel) {}
