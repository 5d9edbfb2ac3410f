// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * A connection between peers as a stream of bytes: a socket, its sender and its receiver, and the rings that the stream
 * goes through. This package uses the link that carries the connection only by its interface
 * {@link io.pipedevice.peer.stream.RingLink}.
 */
package io.pipedevice.peer.stream;
