// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * Sealed shared memory, the pool of ring buffers, and the buffer tables (SBT, RBT) that account for them (§3.3); and
 * {@link io.pipedevice.memory.Gather} for writes of several buffers.
 */
package io.pipedevice.memory;
