// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * How the bytes of a connected channel travel: through rings or through kernel TCP.
 *
 * <p>A {@link io.pipedevice.nio.transport.Transport} does not know its channel, but asks a
 * {@link io.pipedevice.nio.transport.BlockingContext} whether it may wait, and a
 * {@link io.pipedevice.nio.transport.TransportGuard} when no thread is inside. Of the other packages of the provider
 * this one uses the placements, which give it connections on rings, and the statistics.
 */
package io.pipedevice.nio.transport;
