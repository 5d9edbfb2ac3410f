// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.client;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.memory.RingBuffer;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.protocol.ControlMessage;
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

    /** A region that was checked. */
    static final class Region {
        final long size;
        final SharedRegion.Mapper mapper;
        int rings;
        boolean dropped;

        /** The region's descriptor until it is mapped; then null. */
        private Fd fd;

        /** Null until a mapping succeeds: the driver sends a region once, and mmap(2) may fail for a moment. */
        private SharedRegion memory;

        Region(Fd fd, long size, SharedRegion.Mapper mapper) {
            this.fd = fd;
            this.size = size;
            this.mapper = mapper;
        }

        SharedRegion memory() throws LinuxException {
            if (memory == null) {
                memory = mapper.map(fd, size);
                fd = null;
            }
            return memory;
        }

        void close() {
            if (memory != null) {
                memory.close();
            } else {
                fd.close();
            }
        }
    }

    private final Link link;
    private final SharedRegion.Mapper mapper;
    private final Map<Integer, Region> regions = new HashMap<>();

    ReceiveRegions(Link link) {
        this(link, SharedRegion::map);
    }

    ReceiveRegions(Link link, SharedRegion.Mapper mapper) {
        this.link = link;
        this.mapper = mapper;
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
            regions.put(number, checked(fd, regionSize));
        }
        Region region = regions.get(number);
        long offset = answer.receiveRingOffset();
        int size = answer.receiveRingSize();
        int used = answer.ringStart();
        if (region == null
                || !RingBuffer.isSize(size)
                || !RingBuffer.isSize(used)
                || used > size
                || offset < 0
                || offset % size != 0
                || offset > region.size - size) {
            throw link.nonsense("receive ring of " + size + " bytes at " + offset + " in region " + number);
        }
        try {
            SharedRegion memory = region.memory();
            memory.populate(offset, used);
            region.rings++;
            return new Ring(memory.memory().asSlice(offset, size), region);
        } catch (IOException e) {
            throw PdException.wrap("cannot map a receive ring", e);
        }
    }

    private Region checked(Fd fd, long size) throws PdException {
        try {
            SharedRegion.check(fd, size);
            return new Region(fd, size, mapper);
        } catch (IOException e) {
            fd.close();
            throw PdException.wrap("not a receive region", e);
        }
    }

    /** Gives a ring back, whose memory no thread uses any more. */
    synchronized void give(Ring ring) {
        ring.region.rings--;
        closeIfUnused(ring.region);
    }

    /** Forgets the region of a number that the driver uses for another region. */
    synchronized void dropped(int number) {
        Region region = regions.remove(number);
        if (region != null) {
            region.dropped = true;
            closeIfUnused(region);
        }
    }

    private static void closeIfUnused(Region region) {
        if (region.dropped && region.rings == 0) {
            region.close();
        }
    }

    /** Unmaps everything; all sockets are closed. */
    @Override
    public synchronized void close() {
        for (Region region : regions.values()) {
            region.close();
        }
        regions.clear();
    }
}
