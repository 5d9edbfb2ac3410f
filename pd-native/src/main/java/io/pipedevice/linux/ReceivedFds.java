// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.util.Objects;
import java.util.function.Consumer;

/**
 * The descriptors that came with a message of {@link UnixSocket#receive}. Reusable; not safe for use by several threads
 * at once.
 */
public final class ReceivedFds {
    private final Fd[] fds = new Fd[Messages.KERNEL_MAX_FDS];
    private final Consumer<Fd> closer;
    private int count;

    /** Creates an empty object. */
    public ReceivedFds() {
        this(Fd::close);
    }

    /**
     * Creates an empty object that does not close unwanted descriptors itself: close(2) of another process's descriptor
     * can block for as long as that process wants (SO_LINGER of socket(7), a file system in user space).
     *
     * @param closer gets each descriptor that was not taken, to close it
     */
    public ReceivedFds(Consumer<Fd> closer) {
        this.closer = closer;
    }

    void add(Fd fd) {
        fds[count++] = fd;
    }

    /**
     * The number of descriptors that arrived, taken or not.
     *
     * @return 0 to {@link UnixSocket#MAX_FDS}
     */
    public int count() {
        return count;
    }

    /**
     * Takes ownership of a descriptor.
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
     * The closer for a descriptor that turns out to be unwanted after it was taken.
     *
     * @return the closer of this object's constructor
     */
    public Consumer<Fd> closer() {
        return closer;
    }

    /** Closes the descriptors that were not taken, and clears this. */
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
