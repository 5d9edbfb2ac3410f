// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.util.Objects;
import java.util.function.Consumer;

/**
 * The descriptors that came with a message, as {@link UnixSocket#receive} leaves them. Reusable; not safe for use by
 * several threads at once.
 */
public final class ReceivedFds {
    private final Fd[] fds = new Fd[Messages.KERNEL_MAX_FDS];
    private final Consumer<Fd> closer;
    private int count;

    /** Creates an empty one. */
    public ReceivedFds() {
        this(Fd::close);
    }

    /**
     * Creates an empty one that leaves it to another thread to close what nobody took: close(2) of a stranger's
     * descriptor can block for as long as that stranger likes (SO_LINGER of socket(7), a file system in user space).
     *
     * @param closer gets each descriptor that nobody took, instead of its being closed
     */
    public ReceivedFds(Consumer<Fd> closer) {
        this.closer = closer;
    }

    void add(Fd fd) {
        fds[count++] = fd;
    }

    /**
     * How many came, taken or not.
     *
     * @return 0 to {@link UnixSocket#MAX_FDS}
     */
    public int count() {
        return count;
    }

    /**
     * Takes one over.
     *
     * @param index from 0 to {@link #count()}, exclusive
     * @return the descriptor, for the caller to close
     */
    public Fd take(int index) {
        Fd fd = fds[Objects.checkIndex(index, count)];
        if (fd == null) {
            throw new IllegalStateException("descriptor " + index + " was taken before");
        }
        fds[index] = null;
        return fd;
    }

    /**
     * What closes a descriptor that turns out to be unwanted after it was taken.
     *
     * @return what this was created with
     */
    public Consumer<Fd> closer() {
        return closer;
    }

    /** Closes those that nobody took, and forgets all. */
    public void closeAll() {
        for (int i = 0; i < count; i++) {
            if (fds[i] != null) {
                closer.accept(fds[i]);
                fds[i] = null;
            }
        }
        count = 0;
    }
}
