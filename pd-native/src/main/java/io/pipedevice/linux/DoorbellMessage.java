// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.INT;

import io.pipedevice.linux.UnixSocket.Rung;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * The messages of a Unix socket that is used as a doorbell: one byte, or a cookie. Sends them, receives them and drains
 * them. Thread safe. Allocates nothing, and throws nothing for a closed descriptor.
 */
final class DoorbellMessage {
    private static final int COOKIE_LENGTH = Integer.BYTES;
    private static final int SEND_FLAGS = SocketCalls.MSG_DONTWAIT | SocketCalls.MSG_NOSIGNAL;
    private static final MemorySegment RING = Arena.global().allocateFrom(ValueLayout.JAVA_BYTE, (byte) 1);

    private DoorbellMessage() {}

    /** Sends a message without a cookie; see {@link UnixSocket#ring()}. */
    static boolean ring(Fd fd) {
        int number = fd.tryAcquire();
        if (number < 0) {
            return false;
        }
        try {
            long sent;
            do {
                sent = SocketCalls.send(number, RING, 1, SEND_FLAGS);
            } while (sent == -Errno.EINTR);
            return sent > 0 || sent == -Errno.EAGAIN;
        } finally {
            fd.release();
        }
    }

    /** Sends a message with a cookie; see {@link UnixSocket#ring(int)}. */
    static Rung ring(Fd fd, int cookie) {
        int number = fd.tryAcquire();
        if (number < 0) {
            return Rung.GONE;
        }
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment buffer = scratch.buffer();
            buffer.set(INT, 0, cookie);
            // The loop must be in this method: with one more call to inline, the compiler no longer eliminates the
            // allocation of the linker's slice of the state.
            long sent;
            do {
                sent = SocketCalls.send(number, buffer, COOKIE_LENGTH, SEND_FLAGS);
            } while (sent == -Errno.EINTR);
            return sent > 0 ? Rung.SENT : sent == -Errno.EAGAIN ? Rung.FULL : Rung.GONE;
        } finally {
            fd.release();
        }
    }

    /** Receives cookies, and waits for the first one only; see {@link UnixSocket#hear}. */
    static int receive(Fd fd, IntConsumer cookies, boolean wait, Consumer<Fd> closer) {
        int number = fd.tryAcquire();
        if (number < 0) {
            return -1;
        }
        try (Scratch scratch = Scratch.borrow()) {
            return receive(number, scratch, cookies, wait, closer);
        } finally {
            fd.release();
        }
    }

    private static int receive(int fd, Scratch scratch, IntConsumer cookies, boolean wait, Consumer<Fd> closer) {
        MemorySegment buffer = scratch.buffer();
        int count = 0;
        while (count < UnixSocket.DRAIN_LIMIT) {
            int flags = wait && count == 0 ? 0 : SocketCalls.MSG_DONTWAIT;
            long received = Messages.receiveData(fd, scratch, Scratch.BUFFER_LENGTH, flags, closer);
            if (received > 0) {
                count++;
                cookies.accept(received == COOKIE_LENGTH ? buffer.get(INT, 0) : UnixSocket.NO_COOKIE);
            } else if (received == -Errno.EAGAIN) {
                return count;
            } else if (received != -Errno.EINTR) {
                return -1;
            }
        }
        return count;
    }

    /** Receives and discards the pending messages; see {@link UnixSocket#drain}. */
    static int drain(Fd fd) {
        int number = fd.tryAcquire();
        if (number < 0) {
            return -1;
        }
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment buffer = scratch.buffer();
            int count = 0;
            while (count < UnixSocket.DRAIN_LIMIT) {
                long received = SocketCalls.recv(number, buffer, Scratch.BUFFER_LENGTH, SocketCalls.MSG_DONTWAIT);
                if (received > 0) {
                    count++;
                } else if (received == -Errno.EAGAIN) {
                    return count;
                } else if (received != -Errno.EINTR) {
                    return -1;
                }
            }
            return count;
        } finally {
            fd.release();
        }
    }
}
