// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** The commands about functions of eBPF: {@code pipedevice bpf}. */
package io.pipedevice.tool.bpf;
