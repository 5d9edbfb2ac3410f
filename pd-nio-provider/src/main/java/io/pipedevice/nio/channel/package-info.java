// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * The channels, their socket adaptors and options, and how they connect and close.
 *
 * <p>A {@link io.pipedevice.nio.channel.ChannelFactory} opens them; their classes are known only here. This package
 * uses the selector, the transports, the placements and the statistics. Only the start-up uses it.
 */
package io.pipedevice.nio.channel;
