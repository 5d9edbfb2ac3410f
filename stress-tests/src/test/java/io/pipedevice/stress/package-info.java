// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/** Concurrency stress tests: the values that two threads may see in memory that they share without a lock. */
package io.pipedevice.stress;
