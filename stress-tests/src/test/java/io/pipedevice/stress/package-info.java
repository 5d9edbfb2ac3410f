// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** Concurrency stress tests: what two threads may see of memory that they share without a lock. */
package io.pipedevice.stress;
