// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * Regions of processes, and the one-sided operations of other processes on them: messages, names and rights, queue
 * pairs, and the turns in which the driver executes operations. All of it belongs to the driver's thread.
 */
package io.pipedevice.driver.region;
