// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * Programs of eBPF, the instruction set of RFC 9669: raw bytes become an immutable
 * {@link io.pipedevice.active.bpf.Program}, whose fields have been checked and whose jumps are resolved. What runs,
 * verifies or compiles a program reads it here.
 */
package io.pipedevice.active.bpf;
