// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

/** The knowledge about the content of a register or of a part of a stack frame. */
sealed interface Value permits Num, Pointer, Unusable {}
