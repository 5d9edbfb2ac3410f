// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** Reads programs from object files, as {@code clang -target bpf -O2 -c} writes them, without trusting the files. */
package io.pipedevice.active.bpf.elf;
