// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The data path: requests of containers become commands of the device, and their completions wake the containers. This
 * package holds the state of containers, sockets and connections. Everything belongs to the driver's thread.
 */
package io.pipedevice.driver.data;
