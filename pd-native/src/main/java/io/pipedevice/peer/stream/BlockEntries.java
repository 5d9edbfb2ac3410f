// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Errno;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import java.nio.ByteBuffer;

/**
 * Where the bytes of a stream of blocks lie: a piece of the peer's ring at a time, as its entries say. Each is read once and
 * checked. Belongs to the reading thread.
 */
final class BlockEntries {
    private final ByteBuffer ring;
    private final int size;

    /** The entry behind the present piece. */
    private long next;

    /** Positions in the stream of the present piece, and its offset in the ring. */
    private long begin;

    private long end;
    private int offset;

    /** The stream goes on in a ring of so many bytes of blocks, from a position on. */
    BlockEntries(ByteBuffer ring, int size, long at) {
        this.ring = ring;
        this.size = size;
        this.begin = at;
        this.end = at;
    }

    /** How far the bytes at the head lie in a row. Sends that lie back to back are one piece. */
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
            throw new PdException(Errno.EPROTO, "the peer sent a block that is none");
        }
        end += length;
        next++;
    }

    /** Where the byte at the head lies, of which {@link #end} was asked. */
    int offset(long head) {
        return offset + (int) (head - begin);
    }
}
