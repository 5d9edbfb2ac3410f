// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** A PCI function as a process sees it: registers, interrupts, and the memory mapped for it. */
package io.pipedevice.device.pci;
