// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.INT;
import static io.pipedevice.linux.Native.LONG;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;

/**
 * The messages of {@link UnixSocket#ring(int, long)}: a cookie, four bytes of nothing, and a time. Allocates nothing.
 */
final class RingMessages {
    private static final int LENGTH = 16;
    private static final long TIME_OFFSET = 8;

    private RingMessages() {}

    /** Sends one without waiting; a negative errno if it was not sent. */
    static long send(int fd, int cookie, long nanos) {
        MemorySegment buffer = Scratch.get().buffer();
        buffer.set(INT, 0, cookie);
        buffer.set(INT, Integer.BYTES, 0);
        buffer.set(LONG, TIME_OFFSET, nanos);
        long sent;
        do {
            sent = SocketCalls.send(fd, buffer, LENGTH, SocketCalls.MSG_DONTWAIT | SocketCalls.MSG_NOSIGNAL);
        } while (sent == -Errno.EINTR);
        return sent;
    }

    /**
     * Takes out at most so many, of which only the first is waited for; how many, or -1 at the end. The closer gets the
     * descriptors that strangers sent along.
     */
    static int receive(int fd, UnixSocket.Rings rings, int most, boolean wait, Consumer<Fd> closer) {
        MemorySegment buffer = Scratch.get().buffer();
        int count = 0;
        while (count < most) {
            int flags = wait && count == 0 ? 0 : SocketCalls.MSG_DONTWAIT;
            long received = Messages.receiveData(fd, buffer, Scratch.BUFFER_LENGTH, flags, closer);
            if (received > 0) {
                count++;
                // Read before the call: it may use the buffer.
                boolean whole = received == LENGTH;
                rings.rung(
                        whole ? buffer.get(INT, 0) : UnixSocket.NO_COOKIE, whole ? buffer.get(LONG, TIME_OFFSET) : 0);
            } else if (received == -Errno.EAGAIN) {
                return count;
            } else if (received != -Errno.EINTR) {
                return -1;
            }
        }
        return count;
    }
}
