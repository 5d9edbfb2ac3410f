// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The back end for PD Stack on an FPGA: the device's registers, and the queues that the device reaches by DMA
 * (docs/pd-stack.md).
 */
package io.pipedevice.device.fpga;
