// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import io.pipedevice.linux.Fd;
import io.pipedevice.memory.RingBuffer;
import io.pipedevice.memory.SharedRegion;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;

/**
 * The driver's regions of receive rings that this process has mapped, by number. A region stays mapped as long as an
 * open socket has a ring in it, whatever the driver says. Thread safe.
 */
final class ReceiveRegions implements AutoCloseable {
    /** A ring in a region. */
    static final class Ring {
        final MemorySegment memory;
        private final Region region;

        Ring(MemorySegment memory, Region region) {
            this.memory = memory;
            this.region = region;
        }
    }

    static final class Region {
        final SharedRegion memory;
        int rings;
        boolean dropped;

        Region(SharedRegion memory) {
            this.memory = memory;
        }
    }

    private final Link link;
    private final Map<Integer, Region> regions = new HashMap<>();

    ReceiveRegions(Link link) {
        this.link = link;
    }

    /**
     * Takes the ring that an answer describes.
     *
     * @param fd of the region if the driver thinks that it is new here, else null; closed by this
     */
    synchronized Ring take(ControlMessage answer, Fd fd) throws PdException {
        int number = answer.receiveRegion();
        long regionSize = answer.receiveRegionSize();
        if (fd != null) {
            dropped(number);
            try {
                regions.put(number, new Region(SharedRegion.attach(fd, regionSize)));
            } catch (IOException e) {
                throw PdException.wrap("cannot map a receive region", e);
            }
        }
        Region region = regions.get(number);
        long offset = answer.receiveRingOffset();
        int size = answer.receiveRingSize();
        if (region == null
                || !RingBuffer.isSize(size)
                || offset < 0
                || offset % size != 0
                || offset > region.memory.size() - size) {
            throw link.nonsense("receive ring of " + size + " bytes at " + offset + " in region " + number);
        }
        try {
            region.memory.populate(offset, size);
        } catch (IOException e) {
            throw PdException.wrap("cannot map a receive ring", e);
        }
        region.rings++;
        return new Ring(region.memory.memory().asSlice(offset, size), region);
    }

    /** Gives a ring back; nobody looks at its memory any more. */
    synchronized void give(Ring ring) {
        ring.region.rings--;
        closeIfUnused(ring.region);
    }

    /** The driver will use a region's number for something else. */
    synchronized void dropped(int number) {
        Region region = regions.remove(number);
        if (region != null) {
            region.dropped = true;
            closeIfUnused(region);
        }
    }

    private static void closeIfUnused(Region region) {
        if (region.dropped && region.rings == 0) {
            region.memory.close();
        }
    }

    /** Unmaps everything; all sockets are closed. */
    @Override
    public synchronized void close() {
        for (Region region : regions.values()) {
            region.memory.close();
        }
        regions.clear();
    }
}
