// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.io.IOException;

/** Thrown when a system call fails. Has the name of the call and the errno. */
public final class LinuxException extends IOException {
    private static final long serialVersionUID = 1L;

    /** The name of the libc function that failed. */
    private final String call;

    /** The errno. */
    private final int errno;

    /**
     * Creates an exception with a message such as {@code memfd_create: ENOMEM (Cannot allocate memory)}.
     *
     * @param call  the name of the libc function
     * @param errno why it failed, a positive number as in {@link Errno}
     */
    public LinuxException(String call, int errno) {
        this(call, errno, hint(errno));
    }

    /**
     * Creates an exception with a detail in addition to errno.
     *
     * @param call the name of the libc function
     * @param errno why it failed, a positive number as in {@link Errno}
     * @param detail details in addition to errno, or an empty string
     */
    public LinuxException(String call, int errno, String detail) {
        super(call + ": " + Errno.name(errno) + " (" + Errno.text(errno) + ")"
                + (detail.isEmpty() ? "" : ": " + detail));
        this.call = call;
        this.errno = errno;
    }

    /** Turns the kernel's convention, where a negative result is an errno, into an exception. */
    static int check(String call, int result) throws LinuxException {
        if (result < 0) {
            throw new LinuxException(call, -result);
        }
        return result;
    }

    /** Turns the kernel's convention, where a negative result is an errno, into an exception. */
    static long check(String call, long result) throws LinuxException {
        if (result < 0) {
            throw new LinuxException(call, (int) -result);
        }
        return result;
    }

    /** Like {@link #check(String, int)}, with the object in the message. */
    static void check(String call, int result, Object object) throws LinuxException {
        if (result < 0) {
            throw new LinuxException(call, -result, object + "");
        }
    }

    private static String hint(int errno) {
        if (errno == Errno.EMFILE) {
            long limit = SystemCalls.openFilesLimit();
            return "this process has reached its limit of open files" + (limit < 0 ? "" : ", " + limit)
                    + " (raise it with ulimit -n)";
        }
        if (errno == Errno.ENFILE) {
            return "the whole system has reached its limit of open files (sysctl fs.file-max)";
        }
        return "";
    }

    /**
     * The call that failed.
     *
     * @return the name of a libc function, such as {@code memfd_create}; {@code acquire} for the use of an {@link Fd}
     *     that was closed before
     */
    public String call() {
        return call;
    }

    /**
     * The errno.
     *
     * @return a positive number, one of the constants in {@link Errno} or another one of errno(3)
     */
    public int errno() {
        return errno;
    }

    /**
     * The name of the errno.
     *
     * @return such as {@code ENOMEM}
     */
    public String errnoName() {
        return Errno.name(errno);
    }
}
