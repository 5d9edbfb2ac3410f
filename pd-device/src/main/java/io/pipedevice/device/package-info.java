// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** PD Stack: the interfaces of a device that executes copy commands. */
package io.pipedevice.device;
