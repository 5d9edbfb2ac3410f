// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The programs of the benchmark of regret. They have no reference to PipeDevice: the same classes run with the flag and
 * without it.
 */
package io.pipedevice.bench.regret.program;
