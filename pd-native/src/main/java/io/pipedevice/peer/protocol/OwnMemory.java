// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.protocol;

import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Memory;
import io.pipedevice.memory.RingBudget;
import io.pipedevice.memory.SharedRegion;
import java.io.IOException;
import java.util.BitSet;

/**
 * This side's memory of a link, whose pages are counted in the budget of rings when they are allocated. Used by one
 * thread at a time.
 */
public final class OwnMemory implements AutoCloseable {
    private final SharedRegion region;
    private final RingBudget budget;
    private final BitSet pages = new BitSet();
    private boolean closed;

    /**
     * Takes over a memory of which no page is allocated.
     *
     * @param region of this process
     * @param budget in which its pages are counted
     */
    public OwnMemory(SharedRegion region, RingBudget budget) {
        this.region = region;
        this.budget = budget;
    }

    /**
     * The memory.
     *
     * @return owned by this object
     */
    public SharedRegion region() {
        return region;
    }

    /**
     * Allocates a part, in whole pages, even if the budget has no room for it.
     *
     * @param offset of the part
     * @param length of the part, in bytes
     * @throws IOException if there is no memory
     */
    public void allocate(long offset, long length) throws IOException {
        int count = missing(offset, length);
        budget.add(bytes(count));
        allocate(offset, length, count);
    }

    /**
     * Allocates a part, in whole pages, if the budget has room for it.
     *
     * @param offset of the part
     * @param length of the part, in bytes
     * @throws IOException if there is no memory or no room, with ENOMEM
     */
    public void allocateInBudget(long offset, long length) throws IOException {
        int count = missing(offset, length);
        if (count > 0 && !budget.take(bytes(count))) {
            throw new LinuxException("fallocate", Errno.ENOMEM, budget.whyRefused());
        }
        allocate(offset, length, count);
    }

    private void allocate(long offset, long length, int count) throws IOException {
        boolean done = false;
        try {
            LinkPages.allocate(region, offset, length);
            done = true;
        } finally {
            if (done) {
                pages.set(page(offset), end(offset, length));
            } else {
                budget.release(bytes(count));
            }
        }
    }

    /** How many pages of a part are not allocated. */
    private int missing(long offset, long length) {
        int begin = page(offset);
        int end = end(offset, length);
        return end - begin - pages.get(begin, end).cardinality();
    }

    private static int page(long offset) {
        return (int) (offset / Memory.pageSize());
    }

    private static int end(long offset, long length) {
        return page(Memory.wholePages(offset + length));
    }

    private static long bytes(int count) {
        return count * Memory.pageSize();
    }

    /** Unmaps the memory. A second call does nothing. */
    @Override
    public void close() {
        region.close();
        if (!closed) {
            closed = true;
            budget.release(bytes(pages.cardinality()));
        }
    }
}
