// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.INT;

import io.pipedevice.jdk.Foreign;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.function.Consumer;
import java.util.function.IntConsumer;

/**
 * The messages of a Unix socket that is used as a doorbell: one byte, or a cookie. Sends them, receives them and drains
 * them. Thread safe. Allocates nothing, and throws nothing for a closed descriptor.
 */
public final class DoorbellMessage {
    /** The cookie of a message that {@link #send} did not send. */
    public static final int NO_COOKIE = -1;

    private static final int COOKIE_LENGTH = Integer.BYTES;

    /**
     * How often a message is tried for which the kernel has no memory: the other thread may sleep for ever without it.
     */
    private static final int TRIES = 1000;

    private static final int SEND_FLAGS = SocketCalls.MSG_DONTWAIT | SocketCalls.MSG_NOSIGNAL;
    private static final MemorySegment RING = Foreign.bytes(Arena.global(), (byte) 1);

    private DoorbellMessage() {}

    /** The result of {@link #send}. */
    public enum Sent {
        /** The peer can receive the message. */
        SENT,
        /** There was no room; the peer has other messages to receive. */
        FULL,
        /** The peer is gone or this socket is closed, so that no process will ever receive the message. */
        GONE
    }

    /** Sends a message without a cookie; see {@link UnixSocket#ring()}. */
    static boolean ring(Fd fd) {
        int number = fd.tryAcquire();
        if (number < 0) {
            return false;
        }
        try {
            long sent;
            int tries = 0;
            do {
                sent = SocketCalls.send(number, RING, 1, SEND_FLAGS);
            } while (sent == -Errno.EINTR || (sent < 0 && Errno.isExhausted((int) -sent) && ++tries < TRIES));
            return sent > 0 || sent == -Errno.EAGAIN;
        } finally {
            fd.release();
        }
    }

    /**
     * Sends a message with a cookie. Never waits.
     *
     * @param fd     a Unix socket of type SEQPACKET
     * @param cookie tells the owner of the other end the reason of the message
     * @return whether it was sent
     */
    public static Sent send(Fd fd, int cookie) {
        int number = fd.tryAcquire();
        if (number < 0) {
            return Sent.GONE;
        }
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment buffer = scratch.buffer();
            buffer.set(INT, 0, cookie);
            // The loop must be in this method: with one more call to inline, the compiler no longer eliminates the
            // allocation of the linker's slice of the state.
            long sent;
            int tries = 0;
            do {
                sent = SocketCalls.send(number, buffer, COOKIE_LENGTH, SEND_FLAGS);
            } while (sent == -Errno.EINTR || (sent < 0 && Errno.isExhausted((int) -sent) && ++tries < TRIES));
            return sent > 0 ? Sent.SENT : sent == -Errno.EAGAIN ? Sent.FULL : Sent.GONE;
        } finally {
            fd.release();
        }
    }

    /**
     * Receives the messages of {@link #send}. Allocates nothing, unless descriptors arrive, which no honest peer sends.
     *
     * @param fd      a Unix socket of type SEQPACKET
     * @param cookies gets them, {@link #NO_COOKIE} for a message of another kind
     * @param wait    whether to wait for the first
     * @param closer  gets the descriptors that arrive: closing them can block
     * @return as {@link UnixSocket#drain()}
     */
    public static int receive(Fd fd, IntConsumer cookies, boolean wait, Consumer<Fd> closer) {
        int number = fd.tryAcquire();
        if (number < 0) {
            return -1;
        }
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment buffer = scratch.buffer();
            int count = 0;
            while (count < UnixSocket.DRAIN_LIMIT) {
                int flags = wait && count == 0 ? 0 : SocketCalls.MSG_DONTWAIT;
                long received = Messages.receiveData(number, scratch, Scratch.BUFFER_LENGTH, flags, closer);
                if (received > 0) {
                    count++;
                    cookies.accept(received == COOKIE_LENGTH ? buffer.get(INT, 0) : NO_COOKIE);
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
