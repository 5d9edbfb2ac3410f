// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The 32-byte command of the paper's Figure 6 and the queues that carry it: SQ and CQ, and the rings between processes.
 */
package io.pipedevice.queue;
