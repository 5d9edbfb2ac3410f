// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The data path: requests of processes become commands of the device, and their completions wake the processes. This
 * package holds the state of processes, sockets and connections. Everything belongs to the driver's thread.
 */
package io.pipedevice.driver.data;
