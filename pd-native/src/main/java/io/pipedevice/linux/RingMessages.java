// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.INT;

import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * The messages of {@link UnixSocket#ring(int)}: a cookie. Allocates nothing.
 */
final class RingMessages {
    private static final int LENGTH = Integer.BYTES;

    private RingMessages() {}

    /** Sends one without waiting; a negative errno if it was not sent. */
    static long send(int fd, int cookie) {
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment buffer = scratch.buffer();
            buffer.set(INT, 0, cookie);
            long sent;
            do {
                sent = SocketCalls.send(fd, buffer, LENGTH, SocketCalls.MSG_DONTWAIT | SocketCalls.MSG_NOSIGNAL);
            } while (sent == -Errno.EINTR);
            return sent;
        }
    }

    /**
     * Takes out at most so many, of which only the first is waited for; how many, or -1 at the end. The closer gets the
     * descriptors that strangers sent along.
     */
    static int receive(int fd, IntConsumer rings, int most, boolean wait, Consumer<Fd> closer) {
        try (Scratch scratch = Scratch.borrow()) {
            return receive(fd, scratch, rings, most, wait, closer);
        }
    }

    private static int receive(
            int fd, Scratch scratch, IntConsumer rings, int most, boolean wait, Consumer<Fd> closer) {
        MemorySegment buffer = scratch.buffer();
        int count = 0;
        while (count < most) {
            int flags = wait && count == 0 ? 0 : SocketCalls.MSG_DONTWAIT;
            long received = Messages.receiveData(fd, scratch, Scratch.BUFFER_LENGTH, flags, closer);
            if (received > 0) {
                count++;
                rings.accept(received == LENGTH ? buffer.get(INT, 0) : UnixSocket.NO_COOKIE);
            } else if (received == -Errno.EAGAIN) {
                return count;
            } else if (received != -Errno.EINTR) {
                return -1;
            }
        }
        return count;
    }
}
