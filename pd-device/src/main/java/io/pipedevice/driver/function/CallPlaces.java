// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver.function;

import io.pipedevice.driver.data.OperationCopies;
import io.pipedevice.linux.ThreadClock;

/**
 * The objects that the calls of all processes share.
 *
 * @param copies counts the bytes that are moved
 * @param access operates on regions for calls at the device
 * @param runs of calls at the device
 * @param clock of the driver's thread
 */
record CallPlaces(OperationCopies copies, DeviceAccess access, RunPool runs, ThreadClock clock) {}
