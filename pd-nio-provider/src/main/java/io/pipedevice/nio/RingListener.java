// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSource;
import io.pipedevice.linux.Errno;
import java.io.IOException;

/** The place where clients meet a server that also listens on the kernel at the same address. Thread safe. */
interface RingListener {
    /** What is ready when a connection waits; null while there is none. */
    PdSource source();

    /**
     * Takes a connection that waits; null if there is none.
     *
     * @throws IOException if memory or descriptors for it cannot be had now: it goes on waiting, as the kernel's do
     */
    RingConnection accept() throws IOException;

    /** Passes on what an accept failed for, if it is what the program can do something about. */
    static void requireResources(PdException e) throws IOException {
        if (Errno.isExhausted(e.errno())) {
            throw new IOException(Errno.text(e.errno()), e);
        }
    }

    /** A client came through the kernel: what keeps others from the rings is looked at again. */
    void refresh();

    /** Why clients use the kernel while there is no {@link #source}, for people. */
    String whyNone();

    void close();
}
