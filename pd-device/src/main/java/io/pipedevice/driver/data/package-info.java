// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The way of the data: requests of containers become commands of the device, and their completions wake the containers. The
 * state of containers, sockets and connections is here. Everything belongs to the driver's thread.
 */
package io.pipedevice.driver.data;
