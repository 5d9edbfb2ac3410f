// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LinuxException;
import java.io.IOException;

/**
 * Thrown when a call of PD Lib fails for a reason outside the program: the peer, the driver, or the system. Misuse of a
 * call throws {@link IllegalStateException} or {@link IllegalArgumentException} instead.
 *
 * <p>Messages are those of TCP sockets: "Connection refused", "Connection reset", "Broken pipe".
 */
public class PdException extends IOException {
    private static final long serialVersionUID = 1;

    /** A positive number as in {@link Errno}. */
    private final int errno;

    /**
     * Creates an exception whose message begins like that of a TCP socket.
     *
     * @param errno why, a positive number as in {@link Errno}
     * @param detail details beyond errno, or an empty string
     */
    public PdException(int errno, String detail) {
        super(detail.isEmpty() || detail.equals(text(errno)) ? text(errno) : text(errno) + ": " + detail);
        this.errno = errno;
    }

    /**
     * Creates an exception with a message of its own.
     *
     * @param errno why, a positive number as in {@link Errno}
     * @param message the whole message
     * @param cause the failure below, or null
     */
    public PdException(int errno, String message, Throwable cause) {
        super(message, cause);
        this.errno = errno;
    }

    /**
     * An exception with a message of its own.
     *
     * @param errno why, a positive number as in {@link Errno}
     * @param message the whole message
     * @return the exception, for the caller to throw
     */
    public static PdException saying(int errno, String message) {
        return new PdException(errno, message, null);
    }

    /**
     * The exception of a refused connection, with the message that programs look for.
     *
     * @param cause has errno, and the driver's own message
     * @return the exception, for the caller to throw
     */
    public static PdException refused(PdException cause) {
        return new PdException(cause.errno(), text(cause.errno()), cause);
    }

    /**
     * The exception of a call that failed below PD Lib: no memory, no descriptors, no driver at that path.
     *
     * @param doing the action that failed, the beginning of the message
     * @param cause why; its errno becomes the exception's
     * @return {@code cause} if it is of this class already, for the caller to throw
     */
    public static PdException wrap(String doing, IOException cause) {
        if (cause instanceof PdException already) {
            return already;
        }
        int errno = cause instanceof LinuxException failed ? failed.errno() : Errno.EIO;
        return new PdException(errno, doing + ": " + cause.getMessage(), cause);
    }

    /** The text of the JDK's sockets, which is not always that of strerror(3). */
    private static String text(int errno) {
        return switch (errno) {
            case Errno.ECONNRESET -> "Connection reset";
            case Errno.ETIMEDOUT -> "Connection timed out";
            default -> Errno.text(errno);
        };
    }

    /**
     * Why the call failed.
     *
     * @return a positive number, such as {@link Errno#ECONNRESET}
     */
    public int errno() {
        return errno;
    }
}
