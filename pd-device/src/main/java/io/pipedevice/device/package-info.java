// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** PD Stack: what a device that executes copy commands implements. */
package io.pipedevice.device;
