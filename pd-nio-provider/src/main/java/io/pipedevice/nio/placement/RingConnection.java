// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.lib.PdStream;
import io.pipedevice.nio.stat.RingPath;
import java.nio.channels.SocketChannel;

/** A connection on rings, of any placement. The caller that connected or accepted it closes it, once. */
public interface RingConnection {
    /**
     * Returns the stream of bytes: the rings themselves.
     *
     * @return the same at each call; closed by {@link #close}
     */
    PdStream stream();

    /**
     * Returns how its data go.
     *
     * @return the same at each call
     */
    RingPath path();

    /**
     * Returns the kernel connection that an accepted connection replaces.
     *
     * @return null if there is none; the caller closes it, after this one
     */
    default SocketChannel kernel() {
        return null;
    }

    /**
     * Sets what a close does with data that the peer has not read. Any thread may call.
     *
     * @param seconds 0 to drop them; any other number delivers them in the background
     */
    void linger(int seconds);

    /**
     * Limits the send ring, unless its size is final. Any thread may call.
     *
     * @param bytes the most that it is to hold
     */
    void sendSize(int bytes);

    /** Closes the connection. No thread reads or writes, and none will. */
    void close();
}
