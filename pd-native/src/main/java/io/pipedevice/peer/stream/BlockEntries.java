// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import java.nio.ByteBuffer;

/**
 * Finds the bytes of a stream of blocks in the peer's ring, one piece at a time, by its entries. Each entry is read
 * once and checked. Used by the reading thread.
 */
final class BlockEntries {
    private final ByteBuffer ring;
    private final int size;

    /** The number of the first entry after the present piece. */
    private long next;

    /** The positions of the present piece in the stream, and its offset in the ring. */
    private long begin;

    private long end;
    private int offset;

    /**
     * Creates the entries of a ring with that many bytes of blocks, in which the stream continues from a position on.
     */
    BlockEntries(ByteBuffer ring, int size, long at) {
        this.ring = ring;
        this.size = size;
        this.begin = at;
        this.end = at;
    }

    /** The end of the contiguous bytes from the head on. Sends that lie back to back are one piece. */
    long end(long head, long tail) throws PdException {
        if (head == end) {
            long entry = entry();
            begin = head;
            offset = (int) (entry >>> 32);
            append((int) entry, tail);
        }
        while (end < tail) {
            long entry = entry();
            if ((int) (entry >>> 32) != offset + (int) (end - begin)) {
                break;
            }
            append((int) entry, tail);
        }
        return end;
    }

    private long entry() {
        return ring.getLong(LinkMemoryDescriptor.blockEntry(size, next));
    }

    private void append(int length, long tail) throws PdException {
        if (offset < 0 || length < 1 || length > size - offset - (end - begin) || length > tail - end) {
            throw new PdException(Errno.EPROTO, "the peer sent an invalid block");
        }
        end += length;
        next++;
    }

    /** The offset in the ring of the byte at the head, after {@link #end} was called for it. */
    int offset(long head) {
        return offset + (int) (head - begin);
    }
}
