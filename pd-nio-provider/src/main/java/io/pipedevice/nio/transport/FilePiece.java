// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

import io.pipedevice.lib.ByteSource;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;

/**
 * Bytes of a file, from a position on, which are read directly into a ring. A file that becomes shorter meanwhile ends
 * it; nothing is mapped. Belongs to the writing thread.
 */
final class FilePiece implements ByteSource {
    private final FileChannel file;
    private final long position;

    /** Of a stream; null before the first bytes. */
    private ByteBuffer ring;

    /** Of the same memory, for the position and limit of a read; null before the first bytes. */
    private ByteBuffer view;

    private IOException failure;
    private boolean ended;

    FilePiece(FileChannel file, long position) {
        this.file = file;
        this.position = position;
    }

    @Override
    @SuppressWarnings("ReferenceEquality") // the same buffer, not one with the same bytes
    public int put(long from, ByteBuffer target, int at, int length) {
        if (ended) {
            return 0;
        }
        if (ring != target) {
            ring = target;
            view = target.duplicate();
        }
        view.limit(at + length).position(at);
        try {
            int count = Math.max(0, file.read(view, position + from));
            ended = count < length;
            return count;
        } catch (IOException e) {
            failure = e;
            ended = true;
            return 0;
        }
    }

    /** Whether there are no further bytes, because of the file's end or a failure. */
    boolean hasEnded() {
        return ended;
    }

    /** Fails if a read of the file has failed. */
    void requireRead() throws IOException {
        if (failure != null) {
            throw failure;
        }
    }
}
