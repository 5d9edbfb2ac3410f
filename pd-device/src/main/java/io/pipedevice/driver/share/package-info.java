// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The resources that the processes of a driver share, and how much of them each has: quotas, time, rates, and the
 * counters that show them. Everything here belongs to the driver's thread.
 */
package io.pipedevice.driver.share;
