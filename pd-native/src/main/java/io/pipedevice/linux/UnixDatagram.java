// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import io.pipedevice.jdk.Foreign;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** Sends single datagrams to Unix sockets, unix(7). */
public final class UnixDatagram {
    private static final Fd[] NO_DESCRIPTORS = {};

    private UnixDatagram() {}

    /**
     * Sends a datagram. Does not wait for room in the receiver's queue.
     *
     * @param to a bound datagram socket
     * @param text its bytes, at least one
     * @throws LinuxException ENOENT or ECONNREFUSED if there is no such socket, EAGAIN if its queue is full, EACCES
     */
    public static void send(UnixAddress to, byte[] text) throws LinuxException {
        try (Fd socket = SocketSetup.connect(SocketCalls.SOCK_DGRAM, to, 0, true);
                Arena arena = Arena.ofConfined()) {
            MemorySegment data = Foreign.bytes(arena, text);
            int number = socket.acquire();
            try {
                int flags = SocketCalls.MSG_DONTWAIT | SocketCalls.MSG_NOSIGNAL;
                long sent = Messages.send(number, data, 0, data.byteSize(), flags, NO_DESCRIPTORS);
                LinuxException.check("sendmsg", sent);
            } finally {
                socket.release();
            }
        }
    }
}
