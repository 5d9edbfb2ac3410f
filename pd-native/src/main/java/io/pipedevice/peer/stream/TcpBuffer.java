// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.peer.protocol.LinkMemoryDescriptor;

/** The bytes that a kernel socket takes for a program that does not read, after which a TCP connection would stall. */
final class TcpBuffer {
    /** The kernel's default. */
    private static final int LENGTH = 128 << 10;

    private TcpBuffer() {}

    /** Whether the kernel would take fewer than the unread bytes, the last of which are in a ring of this length. */
    static boolean isTooMuch(long unread, int ringLength) {
        boolean full = ringLength > LinkMemoryDescriptor.BASE_RING_LENGTH && unread > ringLength - (ringLength >> 2);
        return full || unread > LENGTH;
    }
}
