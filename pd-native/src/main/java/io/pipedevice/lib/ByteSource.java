// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import java.nio.ByteBuffer;

/**
 * Bytes outside of the program's memory, such as those of a file, which a stream lets their owner put directly into its
 * ring: they are copied once. Called by the writing thread, which may wait for the bytes.
 */
public interface ByteSource {
    /**
     * Puts bytes into a ring. The same bytes may be asked for again, if the stream could not send them.
     *
     * @param from how many bytes of the source come before the first
     * @param ring receives the bytes; its position and limit do not change
     * @param at index in the ring
     * @param length in bytes, at least 1
     * @return how many bytes were put, 0 to {@code length}; fewer end the write. The source keeps the reason, if it is
     *     a failure
     */
    int put(long from, ByteBuffer ring, int at, int length);
}
