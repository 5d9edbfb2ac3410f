// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** A DMA engine in software: executes the commands of a device's lanes by copying memory on a CPU. */
package io.pipedevice.device.emulator;
