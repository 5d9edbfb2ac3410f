// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** The benchmark of regret: what the flag costs programs whose connections stay on the kernel, or do not. */
package io.pipedevice.bench.regret;
