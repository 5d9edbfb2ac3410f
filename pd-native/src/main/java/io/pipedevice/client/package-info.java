// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The client of PD Driver: what implements the interfaces of {@link io.pipedevice.lib} on an attachment to a driver.
 * Programs use {@link io.pipedevice.client.DriverDirectory} to name a driver, and nothing else of this package.
 */
package io.pipedevice.client;
