// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LinuxException;
import java.io.IOException;

/** Thrown when peer placement cannot serve a connection, which is then left to the kernel. */
public final class PeerRefusal extends PdException {
    private static final long serialVersionUID = 1;

    /** The reason. */
    private final Reason reason;

    /**
     * Creates a refusal.
     *
     * @param reason for statistics
     * @param detail for the log
     */
    public PeerRefusal(Reason reason, String detail) {
        super(reason.errno, detail);
        this.reason = reason;
    }

    /**
     * The refusal for a system call that failed during the handshake.
     *
     * @param e the failure, which becomes the cause
     * @return the refusal
     */
    public static PeerRefusal of(IOException e) {
        PeerRefusal refusal = new PeerRefusal(Reason.of(e), e.getMessage());
        refusal.initCause(e);
        return refusal;
    }

    /** The reasons for a refusal. */
    public enum Reason {
        /** No process with PipeDevice listens there. */
        NO_RENDEZVOUS(1, Errno.ECONNREFUSED),
        /** The listener or the client belongs to another user, or to one that cannot be distinguished from others. */
        OTHER_USER(2, Errno.EACCES),
        /** The other side speaks another version. */
        VERSION(3, Errno.EPROTONOSUPPORT),
        /** The other side did not answer in time, or broke the protocol. */
        HANDSHAKE_FAILED(4, Errno.EPROTO),
        /** Memory or the link's slots are exhausted, on either side. */
        NO_MEMORY(5, Errno.ENOMEM),
        /** Too many connections wait to be accepted. */
        BACKLOG_FULL(6, Errno.EAGAIN),
        /** A process of this user holds the listener's name, but not the kernel's port. Never in a message. */
        OTHER_PROCESS(7, Errno.EACCES),
        /** A rule of the driver's policy keeps the connection on the kernel. Never in a message of a peer. */
        POLICY(8, Errno.EPERM),
        /** Descriptors are exhausted, on either side, or too many of them are under way. */
        NO_DESCRIPTORS(9, Errno.EMFILE);

        private final int number;
        private final int errno;

        Reason(int number, int errno) {
            this.number = number;
            this.errno = errno;
        }

        /**
         * The number of a reason in a message.
         *
         * @return 1 or more
         */
        public int number() {
            return number;
        }

        /**
         * The reason for an errno that may mean that something is exhausted.
         *
         * @param errno positive
         * @return the reason; a failed handshake for any other errno
         */
        public static Reason ofErrno(int errno) {
            if (Errno.isLackOfDescriptors(errno)) {
                return NO_DESCRIPTORS;
            }
            return Errno.isExhausted(errno) ? NO_MEMORY : HANDSHAKE_FAILED;
        }

        /**
         * Whether the reason comes from the kernel, by its ports or names, and not from the listening process.
         *
         * @return false if the listener itself, or this process, refuses
         */
        public boolean isOfKernel() {
            return this == OTHER_USER || this == OTHER_PROCESS || this == BACKLOG_FULL;
        }

        /**
         * The reason that a message gives. An unknown number is a failed handshake.
         *
         * @param number from the peer, unchecked
         * @return the reason
         */
        public static Reason of(int number) {
            for (Reason reason : values()) {
                if (reason.number == number) {
                    return reason;
                }
            }
            return HANDSHAKE_FAILED;
        }

        /**
         * The reason for a system call that failed during the handshake.
         *
         * @param e the failure
         * @return the reason
         */
        public static Reason of(IOException e) {
            int errno = e instanceof LinuxException failed ? failed.errno() : Errno.EIO;
            if (errno == Errno.ECONNREFUSED) {
                return NO_RENDEZVOUS;
            }
            return ofErrno(errno);
        }
    }

    /**
     * The reason of the refusal.
     *
     * @return the reason
     */
    public Reason reason() {
        return reason;
    }
}
