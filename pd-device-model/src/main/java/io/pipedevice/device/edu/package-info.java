// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** QEMU's educational PCI device. Its DMA engine copies through a small buffer of its own, and is slow, but real. */
package io.pipedevice.device.edu;
