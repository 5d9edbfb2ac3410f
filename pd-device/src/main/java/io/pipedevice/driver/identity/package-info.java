// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The identity of a process: its user and network namespace, the addresses of that namespace, and the routes that
 * lead there. All of it comes from the kernel, and nothing from the process itself.
 */
package io.pipedevice.driver.identity;
