// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * Introductions: finds the processes that have the two ends of a connection of the kernel's, asks the policy, and tells
 * both. Also counts the direct connections that result. Everything belongs to the driver's thread, except that other
 * threads read sockets.
 */
package io.pipedevice.driver.introduction;
