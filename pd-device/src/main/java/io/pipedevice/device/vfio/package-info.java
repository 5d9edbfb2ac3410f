// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** PCI functions behind the IOMMU that the kernel gives to a process through VFIO. */
package io.pipedevice.device.vfio;
