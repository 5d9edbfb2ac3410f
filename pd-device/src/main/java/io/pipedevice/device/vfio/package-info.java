// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** PCI functions that the kernel hands to a process by VFIO, behind the IOMMU. */
package io.pipedevice.device.vfio;
