// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The statistics of this JVM's connections: counters, the reasons for kernel TCP, and the publication of both.
 *
 * <p>Channels write their {@link io.pipedevice.nio.stat.ConnectionRecord}s here. A command of another process reads a
 * JVM's counters as a {@link io.pipedevice.nio.stat.JvmStat}. This package uses none of the other packages of the
 * provider.
 */
package io.pipedevice.nio.stat;
