// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * What this JVM's connections did: counters, the reasons for kernel TCP, and how both are published.
 *
 * <p>Channels write their {@link io.pipedevice.nio.stat.ConnectionRecord}s here. A command of another process reads a JVM's
 * counters as a {@link io.pipedevice.nio.stat.JvmStat}. This package uses none of the other packages of the provider.
 */
package io.pipedevice.nio.stat;
