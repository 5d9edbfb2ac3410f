// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * Functions of processes beside their regions, as an extension of the driver, and the calls of other processes:
 * messages, verification, names and rights, the turns in which the driver runs calls itself, and the calls that it
 * hands to the owner. All of it belongs to the driver's thread, except that another one verifies. The machine that runs
 * functions is loaded with the first of them.
 */
package io.pipedevice.driver.function;
