// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * PD Driver: owns connections, receive memory and policy. It is embedded in a process, or a process of its own (§3.4).
 * This package has its configuration, its start, its duty cycle, and what hands messages to the other packages.
 */
package io.pipedevice.driver;
