// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * Functions of processes, and the calls of other processes: messages, verification, names and rights, the turns in
 * which the driver runs calls itself, and the calls that it hands to the owner. All of it belongs to the driver's
 * thread, except that another one verifies. Nothing of {@code io.pipedevice.active} is loaded before the first function
 * is registered.
 */
package io.pipedevice.driver.function;
