// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/**
 * One byte of urgent data of a TCP connection, tcp(7). It is not part of the stream: a program that reads the stream
 * does not get it, unless it has set SO_OOBINLINE.
 */
public final class UrgentByte {
    /** The result of {@link #receive} when none has arrived. */
    public static final int NONE = -1;

    private static final int MSG_OOB = 0x1;
    private static final short POLLPRI = 0x2;

    private UrgentByte() {}

    /**
     * Sends a byte, without waiting for room.
     *
     * @param socket a TCP socket of this process
     * @param value 0 to 255
     * @throws LinuxException EAGAIN if there is no room; EPIPE, ECONNRESET if the connection has ended
     */
    public static void send(Fd socket, int value) throws LinuxException {
        int number = socket.acquire();
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment data = scratch.buffer();
            data.set(ValueLayout.JAVA_BYTE, 0, (byte) value);
            int flags = MSG_OOB | SocketCalls.MSG_DONTWAIT | SocketCalls.MSG_NOSIGNAL;
            LinuxException.check("send", (int) SocketCalls.send(number, data, 1, flags));
        } finally {
            socket.release();
        }
    }

    /**
     * Receives the byte that was sent last, unless it was received before. Does not wait.
     *
     * @param socket a TCP socket of this process
     * @return 0 to 255; {@link #NONE} if there is none, or the connection has ended
     * @throws LinuxException EBADF after close
     */
    public static int receive(Fd socket) throws LinuxException {
        int number = socket.acquire();
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment data = scratch.buffer();
            long received = SocketCalls.recv(number, data, 1, MSG_OOB | SocketCalls.MSG_DONTWAIT);
            return received == 1 ? Byte.toUnsignedInt(data.get(ValueLayout.JAVA_BYTE, 0)) : NONE;
        } finally {
            socket.release();
        }
    }

    /**
     * Waits until a byte arrives, or the connection is reset.
     *
     * @param socket a TCP socket of this process
     * @param millis the longest wait
     * @return false after that time
     * @throws LinuxException EBADF after close
     */
    public static boolean await(Fd socket, int millis) throws LinuxException {
        int number = socket.acquire();
        try (Scratch scratch = Scratch.borrow()) {
            MemorySegment entry = scratch.zeroed();
            entry.set(Native.INT, 0, number);
            entry.set(ValueLayout.JAVA_SHORT, 4, POLLPRI);
            int result = WaitCalls.poll(entry, 1, millis);
            return result != -Errno.EINTR && LinuxException.check("poll", result) > 0;
        } finally {
            socket.release();
        }
    }
}
