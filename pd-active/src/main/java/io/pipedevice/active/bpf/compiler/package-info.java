// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * Compiles programs of eBPF to bytecode of the JVM, which does with them all that the interpreter does: it checks each
 * access, it counts instructions, and it ends with the same results and faults. What a verifier has found is used where
 * it makes an access cheaper, and never instead of a check that keeps a run in its memory.
 */
package io.pipedevice.active.bpf.compiler;
