// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import static io.pipedevice.linux.Native.INT;
import static io.pipedevice.linux.Native.LONG;

import java.lang.foreign.MemorySegment;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Messages with descriptors in them: struct msghdr with one iovec and one control message, SCM_RIGHTS, of unix(7).
 *
 * <pre>
 *   msghdr   0 name  8 namelen  16 iov  24 iovlen  32 control  40 controllen  48 flags
 *   iovec    0 base  8 len
 *   cmsghdr  0 len   8 level   12 type  16 descriptors, 4 bytes each
 * </pre>
 */
final class Messages {
    static final int MAX_FDS = 8;

    /** SCM_MAX_FD: the kernel's limit for one message. */
    static final int KERNEL_MAX_FDS = 253;

    private static final long MSG_CONTROL = 32;
    private static final long MSG_CONTROLLEN = 40;
    private static final long MSG_FLAGS = 48;
    private static final long IOV_LEN = 8;
    private static final long CMSG_LEVEL = 8;
    private static final long CMSG_TYPE = 12;
    private static final long CMSG_DATA = 16;
    private static final int SCM_RIGHTS = 1;

    /**
     * Room for all descriptors that can arrive. The kernel closes those that do not fit within recvmsg(2), and closing
     * another process's descriptor can block.
     */
    private static final long CONTROL_SPACE = CMSG_DATA + KERNEL_MAX_FDS * Integer.BYTES;

    /** Room for one more than allowed: a message that is only peeked at keeps the descriptors that do not fit. */
    private static final long PEEK_SPACE = CMSG_DATA + (MAX_FDS + 1) * Integer.BYTES;

    private static final int[] NO_FDS = {};

    private Messages() {}

    /** Checks that the memory to send or to receive into is a slice of native memory of at least one byte. */
    static void checkRange(MemorySegment data, long offset, long size) {
        Objects.checkFromIndexSize(offset, size, data.byteSize());
        if (!data.isNative()) {
            throw new IllegalArgumentException("native memory is needed");
        }
        if (size < 1 || size > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("length " + size);
        }
    }

    /**
     * sendmsg(2) of one slice of native memory.
     *
     * @throws LinuxException EBADF if one of the descriptors to pass along is closed
     */
    static long send(int fd, MemorySegment data, long offset, long length, int flags, Fd[] fds) throws LinuxException {
        if (fds.length > MAX_FDS) {
            throw new IllegalArgumentException(fds.length + " descriptors, at most " + MAX_FDS + " fit");
        }
        int acquired = 0;
        try (Scratch scratch = Scratch.borrow()) {
            int[] numbers = fds.length == 0 ? NO_FDS : new int[fds.length];
            while (acquired < fds.length) {
                numbers[acquired] = fds[acquired].acquire();
                acquired++;
            }
            return send(fd, scratch, data, offset, length, flags, numbers);
        } finally {
            while (acquired > 0) {
                fds[--acquired].release();
            }
        }
    }

    private static long send(
            int fd, Scratch scratch, MemorySegment data, long offset, long length, int flags, int[] fds) {
        MemorySegment message = prepare(scratch, data, offset, length);
        if (fds.length > 0) {
            MemorySegment control = scratch.control().fill((byte) 0);
            control.set(LONG, 0, CMSG_DATA + (long) fds.length * Integer.BYTES);
            control.set(INT, CMSG_LEVEL, SocketCalls.SOL_SOCKET);
            control.set(INT, CMSG_TYPE, SCM_RIGHTS);
            for (int i = 0; i < fds.length; i++) {
                control.set(INT, CMSG_DATA + (long) i * Integer.BYTES, fds[i]);
            }
            message.set(LONG, MSG_CONTROL, control.address());
            message.set(LONG, MSG_CONTROLLEN, CMSG_DATA + aligned((long) fds.length * Integer.BYTES));
        }
        long result;
        do {
            result = SocketCalls.sendmsg(fd, message, flags, data);
        } while (result == -Errno.EINTR);
        return result;
    }

    /**
     * recvmsg(2) into one slice of native memory.
     *
     * @param flags MSG_PEEK leaves the message in the socket, but also returns its descriptors
     * @param fds takes the descriptors; null to accept none
     * @return bytes, or a negative errno
     * @throws LinuxException if the message was truncated; no descriptor is left open then
     */
    static long receive(int fd, MemorySegment buffer, long offset, long length, int flags, ReceivedFds fds)
            throws LinuxException {
        try (Scratch scratch = Scratch.borrow()) {
            return receive(fd, scratch, buffer, offset, length, flags, fds);
        }
    }

    private static long receive(
            int fd, Scratch scratch, MemorySegment buffer, long offset, long length, int flags, ReceivedFds fds)
            throws LinuxException {
        MemorySegment message = prepare(scratch, buffer, offset, length);
        MemorySegment control = scratch.control();
        long space = (flags & SocketCalls.MSG_PEEK) == 0 ? CONTROL_SPACE : PEEK_SPACE;
        long result;
        do {
            if (fds != null) {
                message.set(LONG, MSG_CONTROL, control.address());
                message.set(LONG, MSG_CONTROLLEN, space);
            }
            result = SocketCalls.recvmsg(fd, message, flags | SocketCalls.MSG_CMSG_CLOEXEC, buffer);
        } while (result == -Errno.EINTR);
        if (result < 0) {
            return result;
        }
        if (fds != null) {
            collect(control, message.get(LONG, MSG_CONTROLLEN), fds);
        }
        int received = message.get(INT, MSG_FLAGS);
        boolean tooMany = fds != null && fds.count() > MAX_FDS;
        if ((received & (SocketCalls.MSG_TRUNC | SocketCalls.MSG_CTRUNC)) != 0 || tooMany) {
            LinuxException cut = cut(received, length, tooMany, fds);
            if (fds != null) {
                fds.closeAll();
            }
            throw cut;
        }
        if (result == 0 && fds != null) {
            // Callers interpret 0 as the end, and would leak descriptors that came with an empty message.
            fds.closeAll();
        }
        return result;
    }

    /**
     * recvmsg(2) into a scratch buffer, of a message that has no descriptors if the peer is honest. Allocates nothing
     * in that case.
     *
     * @param closer gets the descriptors: recv(2) would close them itself, and block for as long as their sender wants
     * @return bytes, or a negative errno; a message that is too long is truncated
     */
    static long receiveData(int fd, Scratch scratch, long length, int flags, Consumer<Fd> closer) {
        MemorySegment buffer = scratch.buffer();
        MemorySegment message = prepare(scratch, buffer, 0, length);
        MemorySegment control = scratch.control();
        message.set(LONG, MSG_CONTROL, control.address());
        message.set(LONG, MSG_CONTROLLEN, CONTROL_SPACE);
        long result = SocketCalls.recvmsg(fd, message, flags | SocketCalls.MSG_CMSG_CLOEXEC, buffer);
        long controlLength = result < 0 ? 0 : message.get(LONG, MSG_CONTROLLEN);
        if (controlLength > 0) {
            ReceivedFds strangers = new ReceivedFds(closer);
            collect(control, controlLength, strangers);
            strangers.closeAll();
        }
        return result;
    }

    /** recv(2) of the first message without its descriptors, which the kernel closes. Does not wait. */
    static void drop(Fd fd) throws LinuxException {
        int number = fd.acquire();
        try (Scratch scratch = Scratch.borrow()) {
            long dropped;
            do {
                dropped = SocketCalls.recv(number, scratch.buffer(), Scratch.BUFFER_LENGTH, SocketCalls.MSG_DONTWAIT);
            } while (dropped == -Errno.EINTR);
            LinuxException.check("recv", dropped);
        } finally {
            fd.release();
        }
    }

    private static MemorySegment prepare(Scratch scratch, MemorySegment data, long offset, long length) {
        MemorySegment iovec = scratch.iovec();
        iovec.set(LONG, 0, data.address() + offset);
        iovec.set(LONG, IOV_LEN, length);
        MemorySegment message = scratch.message();
        message.set(LONG, MSG_CONTROL, 0);
        message.set(LONG, MSG_CONTROLLEN, 0);
        message.set(INT, MSG_FLAGS, 0);
        return message;
    }

    /** Iterates over the control messages, like the CMSG_ macros of cmsg(3). */
    private static void collect(MemorySegment control, long controlLength, ReceivedFds fds) {
        long at = 0;
        while (at + CMSG_DATA <= controlLength) {
            long length = control.get(LONG, at);
            if (length < CMSG_DATA || length > controlLength - at) {
                return;
            }
            if (control.get(INT, at + CMSG_LEVEL) == SocketCalls.SOL_SOCKET
                    && control.get(INT, at + CMSG_TYPE) == SCM_RIGHTS) {
                for (long i = CMSG_DATA; i + Integer.BYTES <= length; i += Integer.BYTES) {
                    fds.add(Fd.own(control.get(INT, at + i)));
                }
            }
            at += aligned(length);
        }
    }

    private static LinuxException cut(int flags, long length, boolean tooMany, ReceivedFds fds) {
        if ((flags & SocketCalls.MSG_TRUNC) != 0) {
            return new LinuxException(
                    "recvmsg", Errno.EMSGSIZE, "a message longer than the " + length + " bytes expected was dropped");
        }
        if (fds != null && !tooMany) {
            return new LinuxException("recvmsg", Errno.EMFILE);
        }
        return new LinuxException(
                "recvmsg",
                Errno.EMSGSIZE,
                "a message with more than the " + (fds == null ? 0 : MAX_FDS) + " descriptors expected was dropped");
    }

    private static long aligned(long length) {
        return (length + 7) & ~7L;
    }
}
