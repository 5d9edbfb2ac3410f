// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** The back end for PD Stack on an FPGA: its registers, and the queues that it reaches by DMA (docs/pd-stack.md). */
package io.pipedevice.device.fpga;
