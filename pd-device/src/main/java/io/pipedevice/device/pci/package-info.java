// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** A PCI function as a process sees it: registers, memory mapped for it, interrupts. */
package io.pipedevice.device.pci;
