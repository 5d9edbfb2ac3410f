// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.ring;

import java.nio.ByteBuffer;

/**
 * A ring of this process, larger than a base ring, that was announced to the link's peer.
 *
 * @param number by which the peer knows it, at least 1
 * @param bytes the whole ring; its size is a power of two
 */
public record SendRing(int number, ByteBuffer bytes) {}
