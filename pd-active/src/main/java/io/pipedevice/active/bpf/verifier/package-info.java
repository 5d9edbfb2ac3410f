// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * Shows that programs of eBPF are safe before they run, by abstract interpretation: a state says what is known before
 * an instruction, paths that meet join their states, and a loop is followed until its state does not change.
 */
package io.pipedevice.active.bpf.verifier;
