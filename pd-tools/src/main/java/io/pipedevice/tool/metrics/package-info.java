// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The counters of a driver for Prometheus. Only the command line uses this; programs that are accelerated do not load
 * it.
 */
package io.pipedevice.tool.metrics;
