// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A file descriptor that this process owns.
 *
 * <p>A use of the number is bracketed by {@link #acquire()} and {@link #release()}. A concurrent {@link #close()} takes
 * effect when the last use is released, so the kernel never gives the number to another file during a call. Closing
 * does not wake a thread that is blocked inside a call; {@link UnixSocket#close()} does.
 *
 * <p>Safe for use by any number of threads. Only the owner closes a descriptor; the garbage collector does not.
 */
public final class Fd implements AutoCloseable {
    private static final int CLOSED = 1 << 31;
    private static final int USERS = ~CLOSED;
    private static final VarHandle STATE;

    static {
        try {
            STATE = MethodHandles.lookup().findVarHandle(Fd.class, "state", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    private final int number;

    /** The number of uses, and the closed flag. The descriptor is free once the flag is set and no use is left. */
    @SuppressWarnings("unused")
    private volatile int state;

    private Fd(int number) {
        this.number = number;
    }

    /**
     * Takes ownership of a descriptor, which only the result may close from now on.
     *
     * @param number an open descriptor of this process
     * @return its owner
     */
    public static Fd own(int number) {
        if (number < 0) {
            throw new IllegalArgumentException("not a descriptor: " + number);
        }
        return new Fd(number);
    }

    /**
     * Begins a use, which must be ended by {@link #release()}.
     *
     * @return the number, valid until the release
     * @throws LinuxException EBADF, after close
     */
    public int acquire() throws LinuxException {
        int fd = tryAcquire();
        if (fd < 0) {
            throw closed();
        }
        return fd;
    }

    /** Like {@link #acquire()}, but -1 after close. */
    int tryAcquire() {
        int seen = (int) STATE.getVolatile(this);
        while (seen >= 0) {
            int witness = (int) STATE.compareAndExchange(this, seen, seen + 1);
            if (witness == seen) {
                return number;
            }
            seen = witness;
        }
        return -1;
    }

    /** Ends a use; the last one after {@link #close()} really closes. */
    public void release() {
        int seen = (int) STATE.getVolatile(this);
        while (true) {
            if ((seen & USERS) == 0) {
                throw new IllegalStateException("release() without acquire() of " + this);
            }
            int witness = (int) STATE.compareAndExchange(this, seen, seen - 1);
            if (witness == seen) {
                break;
            }
            seen = witness;
        }
        if (seen == (CLOSED | 1)) {
            closeNow();
        }
    }

    /**
     * Whether {@link #close()} has not been called yet.
     *
     * @return false after close, even while a running use keeps the descriptor open
     */
    public boolean isOpen() {
        return state >= 0;
    }

    /**
     * The number, for diagnostics and for passing on; it may be closed at any time.
     *
     * @return the number, or -1 after close
     */
    public int number() {
        return isOpen() ? number : -1;
    }

    /** Closes the descriptor: now, or when the last running use is released. Calls after the first do nothing. */
    @Override
    public void close() {
        if (beginClose() >= 0) {
            release();
        }
    }

    /** Refuses further uses, but begins one for the caller, which must release it; -1 if it was closed before. */
    int beginClose() {
        int seen = (int) STATE.getVolatile(this);
        while (seen >= 0) {
            int witness = (int) STATE.compareAndExchange(this, seen, (seen + 1) | CLOSED);
            if (witness == seen) {
                return number;
            }
            seen = witness;
        }
        return -1;
    }

    /** How many uses are in progress. */
    int users() {
        return state & USERS;
    }

    static LinuxException closed() {
        return new LinuxException("acquire", Errno.EBADF, "this descriptor has been closed");
    }

    private void closeNow() {
        int result = FileCalls.close(number);
        if (result == -Errno.EBADF) {
            // Look up the logger here: the lookup is slow, and descriptors are opened while a JVM starts.
            new LazyLogger(Fd.class)
                    .get()
                    .log(System.Logger.Level.ERROR, "fd {0} was closed by code that does not own it", number);
        }
    }

    @Override
    public String toString() {
        return "fd " + number + (isOpen() ? "" : " (closed)");
    }
}
