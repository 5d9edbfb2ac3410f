// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The parts of a running program, interpreted or compiled: memory in regions with checked bounds, helpers that it
 * may call, and the fault that ends it.
 */
package io.pipedevice.active.bpf.machine;
