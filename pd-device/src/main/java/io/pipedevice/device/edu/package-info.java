// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** QEMU's educational PCI device, whose DMA engine copies through a buffer of its own: small, slow and real. */
package io.pipedevice.device.edu;
