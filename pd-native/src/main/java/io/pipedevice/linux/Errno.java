// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

/** The numbers of errno(3) that PipeDevice may meet; they are the same on x86-64 and aarch64. */
public final class Errno {
    /** Operation not permitted. */
    public static final int EPERM = 1;

    /** No such file or directory. */
    public static final int ENOENT = 2;

    /** No such process. */
    public static final int ESRCH = 3;

    /** Not a program that can be executed. */
    public static final int ENOEXEC = 8;

    /** Interrupted system call. */
    public static final int EINTR = 4;

    /** Input/output error. */
    public static final int EIO = 5;

    /** No such device or address. */
    public static final int ENXIO = 6;

    /** Argument list too long. */
    public static final int E2BIG = 7;

    /** Bad file descriptor. */
    public static final int EBADF = 9;

    /** No child processes. */
    public static final int ECHILD = 10;

    /** Resource temporarily unavailable. */
    public static final int EAGAIN = 11;

    /** Cannot allocate memory. */
    public static final int ENOMEM = 12;

    /** Permission denied. */
    public static final int EACCES = 13;

    /** Bad address. */
    public static final int EFAULT = 14;

    /** Device or resource busy. */
    public static final int EBUSY = 16;

    /** File exists. */
    public static final int EEXIST = 17;

    /** Invalid cross-device link. */
    public static final int EXDEV = 18;

    /** No such device. */
    public static final int ENODEV = 19;

    /** Not a directory. */
    public static final int ENOTDIR = 20;

    /** Is a directory. */
    public static final int EISDIR = 21;

    /** Invalid argument. */
    public static final int EINVAL = 22;

    /** Too many open files in system. */
    public static final int ENFILE = 23;

    /** Too many open files. */
    public static final int EMFILE = 24;

    /** Inappropriate ioctl for device. */
    public static final int ENOTTY = 25;

    /** Text file busy. */
    public static final int ETXTBSY = 26;

    /** File too large. */
    public static final int EFBIG = 27;

    /** No space left on device. */
    public static final int ENOSPC = 28;

    /** Illegal seek. */
    public static final int ESPIPE = 29;

    /** Read-only file system. */
    public static final int EROFS = 30;

    /** Broken pipe. */
    public static final int EPIPE = 32;

    /** Numerical result out of range. */
    public static final int ERANGE = 34;

    /** Resource deadlock avoided. */
    public static final int EDEADLK = 35;

    /** File name too long. */
    public static final int ENAMETOOLONG = 36;

    /** Function not implemented. */
    public static final int ENOSYS = 38;

    /** Directory not empty. */
    public static final int ENOTEMPTY = 39;

    /** Too many levels of symbolic links. */
    public static final int ELOOP = 40;

    /** No data available. */
    public static final int ENODATA = 61;

    /** Protocol error. */
    public static final int EPROTO = 71;

    /** Value too large for defined data type. */
    public static final int EOVERFLOW = 75;

    /** Name not unique on network. */
    public static final int ENOTUNIQ = 76;

    /** Remote address changed. */
    public static final int EREMCHG = 78;

    /** Socket operation on non-socket. */
    public static final int ENOTSOCK = 88;

    /** Destination address required. */
    public static final int EDESTADDRREQ = 89;

    /** Message too long. */
    public static final int EMSGSIZE = 90;

    /** Protocol wrong type for socket. */
    public static final int EPROTOTYPE = 91;

    /** Protocol not available. */
    public static final int ENOPROTOOPT = 92;

    /** Protocol not supported. */
    public static final int EPROTONOSUPPORT = 93;

    /** Operation not supported. */
    public static final int EOPNOTSUPP = 95;

    /** Address family not supported by protocol. */
    public static final int EAFNOSUPPORT = 97;

    /** Address already in use. */
    public static final int EADDRINUSE = 98;

    /** Cannot assign requested address. */
    public static final int EADDRNOTAVAIL = 99;

    /** Network is down. */
    public static final int ENETDOWN = 100;

    /** Network is unreachable. */
    public static final int ENETUNREACH = 101;

    /** Software caused connection abort. */
    public static final int ECONNABORTED = 103;

    /** Connection reset by peer. */
    public static final int ECONNRESET = 104;

    /** No buffer space available. */
    public static final int ENOBUFS = 105;

    /** Transport endpoint is already connected. */
    public static final int EISCONN = 106;

    /** Transport endpoint is not connected. */
    public static final int ENOTCONN = 107;

    /** Cannot send after transport endpoint shutdown. */
    public static final int ESHUTDOWN = 108;

    /** Too many references: cannot splice. */
    public static final int ETOOMANYREFS = 109;

    /** Connection timed out. */
    public static final int ETIMEDOUT = 110;

    /** Connection refused. */
    public static final int ECONNREFUSED = 111;

    /** Host is down. */
    public static final int EHOSTDOWN = 112;

    /** No route to host. */
    public static final int EHOSTUNREACH = 113;

    /** Operation already in progress. */
    public static final int EALREADY = 114;

    /** Operation now in progress. */
    public static final int EINPROGRESS = 115;

    /** Stale file handle. */
    public static final int ESTALE = 116;

    /** Disk quota exceeded. */
    public static final int EDQUOT = 122;

    /** Operation canceled. */
    public static final int ECANCELED = 125;

    /** Owner died. */
    public static final int EOWNERDEAD = 130;

    /** Memory page has hardware error. */
    public static final int EHWPOISON = 133;

    private static final String[] NAMES = new String[134];
    private static final String[] TEXTS = new String[134];

    static {
        define(EPERM, "EPERM", "Operation not permitted");
        define(ENOENT, "ENOENT", "No such file or directory");
        define(ESRCH, "ESRCH", "No such process");
        define(ENOEXEC, "ENOEXEC", "Exec format error");
        define(EINTR, "EINTR", "Interrupted system call");
        define(EIO, "EIO", "Input/output error");
        define(ENXIO, "ENXIO", "No such device or address");
        define(E2BIG, "E2BIG", "Argument list too long");
        define(EBADF, "EBADF", "Bad file descriptor");
        define(ECHILD, "ECHILD", "No child processes");
        define(EAGAIN, "EAGAIN", "Resource temporarily unavailable");
        define(ENOMEM, "ENOMEM", "Cannot allocate memory");
        define(EACCES, "EACCES", "Permission denied");
        define(EFAULT, "EFAULT", "Bad address");
        define(EBUSY, "EBUSY", "Device or resource busy");
        define(EEXIST, "EEXIST", "File exists");
        define(EXDEV, "EXDEV", "Invalid cross-device link");
        define(ENODEV, "ENODEV", "No such device");
        define(ENOTDIR, "ENOTDIR", "Not a directory");
        define(EISDIR, "EISDIR", "Is a directory");
        define(EINVAL, "EINVAL", "Invalid argument");
        define(ENFILE, "ENFILE", "Too many open files in system");
        define(EMFILE, "EMFILE", "Too many open files");
        define(ENOTTY, "ENOTTY", "Inappropriate ioctl for device");
        define(ETXTBSY, "ETXTBSY", "Text file busy");
        define(EFBIG, "EFBIG", "File too large");
        define(ENOSPC, "ENOSPC", "No space left on device");
        define(ESPIPE, "ESPIPE", "Illegal seek");
        define(EROFS, "EROFS", "Read-only file system");
        define(EPIPE, "EPIPE", "Broken pipe");
        define(ERANGE, "ERANGE", "Numerical result out of range");
        define(EDEADLK, "EDEADLK", "Resource deadlock avoided");
        define(ENAMETOOLONG, "ENAMETOOLONG", "File name too long");
        define(ENOSYS, "ENOSYS", "Function not implemented");
        define(ENOTEMPTY, "ENOTEMPTY", "Directory not empty");
        define(ELOOP, "ELOOP", "Too many levels of symbolic links");
        define(ENODATA, "ENODATA", "No data available");
        define(EPROTO, "EPROTO", "Protocol error");
        define(EOVERFLOW, "EOVERFLOW", "Value too large for defined data type");
        define(ENOTUNIQ, "ENOTUNIQ", "Name not unique on network");
        define(EREMCHG, "EREMCHG", "Remote address changed");
        define(ENOTSOCK, "ENOTSOCK", "Socket operation on non-socket");
        define(EDESTADDRREQ, "EDESTADDRREQ", "Destination address required");
        define(EMSGSIZE, "EMSGSIZE", "Message too long");
        define(EPROTOTYPE, "EPROTOTYPE", "Protocol wrong type for socket");
        define(ENOPROTOOPT, "ENOPROTOOPT", "Protocol not available");
        define(EPROTONOSUPPORT, "EPROTONOSUPPORT", "Protocol not supported");
        define(EOPNOTSUPP, "EOPNOTSUPP", "Operation not supported");
        define(EAFNOSUPPORT, "EAFNOSUPPORT", "Address family not supported by protocol");
        define(EADDRINUSE, "EADDRINUSE", "Address already in use");
        define(EADDRNOTAVAIL, "EADDRNOTAVAIL", "Cannot assign requested address");
        define(ENETDOWN, "ENETDOWN", "Network is down");
        define(ENETUNREACH, "ENETUNREACH", "Network is unreachable");
        define(ECONNABORTED, "ECONNABORTED", "Software caused connection abort");
        define(ECONNRESET, "ECONNRESET", "Connection reset by peer");
        define(ENOBUFS, "ENOBUFS", "No buffer space available");
        define(EISCONN, "EISCONN", "Transport endpoint is already connected");
        define(ENOTCONN, "ENOTCONN", "Transport endpoint is not connected");
        define(ESHUTDOWN, "ESHUTDOWN", "Cannot send after transport endpoint shutdown");
        define(ETOOMANYREFS, "ETOOMANYREFS", "Too many references: cannot splice");
        define(ETIMEDOUT, "ETIMEDOUT", "Connection timed out");
        define(ECONNREFUSED, "ECONNREFUSED", "Connection refused");
        define(EHOSTDOWN, "EHOSTDOWN", "Host is down");
        define(EHOSTUNREACH, "EHOSTUNREACH", "No route to host");
        define(EALREADY, "EALREADY", "Operation already in progress");
        define(EINPROGRESS, "EINPROGRESS", "Operation now in progress");
        define(ESTALE, "ESTALE", "Stale file handle");
        define(EDQUOT, "EDQUOT", "Disk quota exceeded");
        define(ECANCELED, "ECANCELED", "Operation canceled");
        define(EOWNERDEAD, "EOWNERDEAD", "Owner died");
        define(EHWPOISON, "EHWPOISON", "Memory page has hardware error");
    }

    private Errno() {}

    private static void define(int errno, String name, String text) {
        NAMES[errno] = name;
        TEXTS[errno] = text;
    }

    /**
     * Whether a call failed because a process, the system or a driver has no descriptors left, or no room for those
     * under way.
     *
     * @param errno positive
     * @return whether it is one of EMFILE, ENFILE and ETOOMANYREFS
     */
    public static boolean isLackOfDescriptors(int errno) {
        return errno == EMFILE || errno == ENFILE || errno == ETOOMANYREFS;
    }

    /**
     * Whether a call failed because the system or a driver has run out of a resource that may become available later:
     * descriptors, memory, or room for either.
     *
     * @param errno positive
     * @return whether it is one of EMFILE, ENFILE, ENOMEM, ENOBUFS, ENOSPC and ETOOMANYREFS
     */
    public static boolean isExhausted(int errno) {
        return isLackOfDescriptors(errno) || errno == ENOMEM || errno == ENOBUFS || errno == ENOSPC;
    }

    /**
     * The name of an errno.
     *
     * @param errno any number
     * @return such as {@code ENOMEM}, or {@code errno 85} for a number without a constant here
     */
    public static String name(int errno) {
        return known(errno) ? NAMES[errno] : "errno " + errno;
    }

    /**
     * The meaning of an errno, in English in every locale.
     *
     * @param errno any number
     * @return such as {@code Cannot allocate memory}, or {@code unknown error} for a number without a constant here
     */
    public static String text(int errno) {
        return known(errno) ? TEXTS[errno] : "unknown error";
    }

    private static boolean known(int errno) {
        return errno > 0 && errno < NAMES.length && NAMES[errno] != null;
    }
}
