// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** Runs programs of eBPF instruction by instruction, without trusting them. */
package io.pipedevice.active.bpf.interpreter;
