// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** A model in software of PD Stack on an FPGA, at the level of its registers (docs/pd-stack.md). */
package io.pipedevice.device.model;
