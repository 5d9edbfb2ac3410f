// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * One-sided operations on regions, as a process and a driver agree on them: the entries, the rings that carry them, and
 * the pages in which the rings lie. This package depends on neither side, and no program loads it that uses sockets
 * alone.
 */
package io.pipedevice.active.operation;
