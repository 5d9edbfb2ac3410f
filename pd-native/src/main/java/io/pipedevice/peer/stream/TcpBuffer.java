// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.peer.protocol.LinkMemoryDescriptor;

/** What a kernel socket takes for a program that does not read: where a connection over TCP would stand still. */
final class TcpBuffer {
    /** Unless the socket was set up otherwise. */
    private static final int LENGTH = 128 << 10;

    private TcpBuffer() {}

    /** Whether so many bytes, the last of them in a ring of this length, are more than the kernel takes to the other end. */
    static boolean isTooMuch(long unread, int ringLength) {
        boolean full = ringLength > LinkMemoryDescriptor.BASE_RING_LENGTH && unread > ringLength - (ringLength >> 2);
        return full || unread > LENGTH;
    }
}
