// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
/**
 * A connection between peers as a stream of bytes: a socket, its sender and its receiver, and the rings that the stream goes
 * through. The link that carries the connection is known as a {@link io.pipedevice.peer.stream.RingLink} only.
 */
package io.pipedevice.peer.stream;
