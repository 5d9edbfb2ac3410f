// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * What the driver does beside sockets, and what it needs for that. The driver knows an extension by its interface
 * alone, and works without one.
 */
package io.pipedevice.driver.extension;
