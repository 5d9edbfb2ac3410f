// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.IOException;

/** The two streams of an end of a connection, with the ways in which a program uses them. */
interface Streams {
    /** Writes once; returns the number of bytes taken. */
    int write(int form, byte[] bytes) throws IOException;

    /** Reads once, checks the bytes against a stream of a game, and returns the result of the call. */
    int read(int form, int length, int stream, long position) throws IOException;

    /**
     * How many forms a transfer may use: not that of a read of a single byte.
     *
     * @param all whether those count that not every mode of the end permits
     */
    int forms(boolean all);

    /** Waits for room after a write that took nothing. */
    void awaitRoom() throws IOException;

    /** Waits for bytes after a read that gave none. */
    void awaitBytes() throws IOException;
}
