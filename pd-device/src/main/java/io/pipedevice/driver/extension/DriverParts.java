// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.extension;

import io.pipedevice.device.Device;
import io.pipedevice.driver.control.Attachments;
import io.pipedevice.driver.data.Completions;
import io.pipedevice.driver.data.CopyScheduler;
import io.pipedevice.driver.data.FaultyProcesses;
import io.pipedevice.driver.policy.Policy;
import io.pipedevice.driver.share.Chores;
import io.pipedevice.driver.share.DriverCounters;
import io.pipedevice.linux.Disposal;

/**
 * The parts of a driver that an extension uses. They belong to the driver's thread, which others wake by {@code
 * signal}.
 *
 * @param device that copies; the driver closes it
 * @param attachments with the quotas of processes
 * @param copies the turns of the device
 * @param completions of the device
 * @param policy who may have what
 * @param faulty gets the processes that broke a rule
 * @param chores long work in steps
 * @param disposal closes descriptors and unmaps memory, on a thread of its own
 * @param counters of the driver
 * @param signal wakes the driver's thread
 */
public record DriverParts(
        Device device,
        Attachments attachments,
        CopyScheduler copies,
        Completions completions,
        Policy policy,
        FaultyProcesses faulty,
        Chores chores,
        Disposal disposal,
        DriverCounters counters,
        Runnable signal) {}
