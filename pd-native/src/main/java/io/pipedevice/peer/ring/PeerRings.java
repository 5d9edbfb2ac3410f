// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.ring;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.DescriptorCloser;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.protocol.LinkMessage;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;

/**
 * The larger rings that the peer of a link has announced. Each is mapped read-only when it is first read. Until then
 * its descriptor is kept, if the peer's share of the budget has room for it; otherwise the ring is mapped at once.
 * Guarded by the link's lock.
 */
public final class PeerRings {
    private static final LazyLogger LOG = new LazyLogger(PeerRings.class);

    /** The most unusable rings; with more the link is given up. */
    private static final int MOST_UNUSABLE = 1024;

    /** The most rings for each connection: one in use, or two while the stream changes rings, and as many free ones. */
    private static final int MOST_OF_A_CONNECTION = 4;

    /** The rings that the peer may have in addition. */
    public static final int MOST_FREE = 128;

    private final DescriptorCloser closer;

    /** The number of connections for which the peer can have rings. */
    private final IntSupplier connections;

    private final PeerBudget.Share share;

    private final SharedRegion.Mapper mapper;
    private final Map<Integer, PeerRing> rings = new HashMap<>();

    /** The rings that no thread has needed yet, or that could not be mapped when a thread needed them. */
    private final Map<Integer, Unmapped> unmapped = new HashMap<>();

    /** The number of rings that the peer has taken back while they are held here. */
    private int heldBack;

    /** The rings that cannot be used, with the reasons. */
    private final Map<Integer, String> unusable = new HashMap<>();

    /**
     * Creates an empty set.
     *
     * @param closer closes descriptors of rings
     * @param connections the number of connections, which bounds the number of rings
     * @param share counts mappings and descriptors
     */
    public PeerRings(DescriptorCloser closer, IntSupplier connections, PeerBudget.Share share) {
        this(closer, connections, share, SharedRegion::map);
    }

    PeerRings(DescriptorCloser closer, IntSupplier connections, PeerBudget.Share share, SharedRegion.Mapper mapper) {
        this.closer = closer;
        this.connections = connections;
        this.share = share;
        this.mapper = mapper;
    }

    /** A checked memory object, and whether its descriptor is counted in the share. */
    private record Unmapped(Fd fd, long size, boolean held) {}

    /**
     * Whether the set is empty.
     *
     * @return whether no ring is known
     */
    public boolean isEmpty() {
        return rings.isEmpty() && unmapped.isEmpty();
    }

    /**
     * Whether a ring is known.
     *
     * @param number from the peer, unchecked
     * @return whether the peer has announced it
     */
    public boolean knows(int number) {
        return rings.containsKey(number) || unmapped.containsKey(number) || unusable.containsKey(number);
    }

    /**
     * A ring by its number.
     *
     * @param number of the ring
     * @param size of the ring, in bytes
     * @return the ring, mapped
     * @throws PdException EPROTO if there is none of that size; ENOMEM if it could not be mapped
     */
    public PeerRing get(int number, int size) throws PdException {
        String why = unusable.get(number);
        if (why != null) {
            throw new PdException(Errno.ENOMEM, why);
        }
        if (unmapped.containsKey(number)) {
            mapAtLast(number);
        }
        PeerRing ring = rings.get(number);
        if (ring == null || ring.region.size() != size) {
            throw new PdException(Errno.EPROTO, "the peer has not announced ring " + number + " of " + size + " bytes");
        }
        if (!ring.populated) {
            populate(ring);
        }
        return ring;
    }

    private void mapAtLast(int number) throws PdException {
        try {
            map(number);
        } catch (LinuxException e) {
            throw new PdException(Errno.ENOMEM, e.getMessage());
        }
    }

    private void map(int number) throws LinuxException {
        Unmapped ring = unmapped.get(number);
        SharedRegion region = mapInBudget(ring);
        region.closeDescriptor();
        unmapped.remove(number);
        if (ring.held) {
            share.release();
        }
        rings.put(number, new PeerRing(region));
    }

    private SharedRegion mapInBudget(Unmapped ring) throws LinuxException {
        if (!share.map(1)) {
            throw new LinuxException("mmap", Errno.ENOMEM, "peers have too many mappings");
        }
        boolean done = false;
        try {
            SharedRegion region = mapper.map(ring.fd, ring.size);
            done = true;
            return region;
        } finally {
            if (!done) {
                share.unmap(1);
            }
        }
    }

    private void unmap(PeerRing ring) {
        ring.region.close();
        share.unmap(1);
    }

    /**
     * Maps a ring that has not been read yet, so that its descriptor can be closed.
     *
     * @return false if there is none, or no room for the mapping
     */
    public boolean freeDescriptor() {
        for (int number : unmapped.keySet()) {
            try {
                map(number);
                return true;
            } catch (LinuxException e) {
                LOG.get().log(Level.DEBUG, "no room for a ring: {0}", e.getMessage());
            }
        }
        return false;
    }

    /**
     * Releases a ring for a thread or a view that does not use it any more.
     *
     * @param ring that was held
     */
    public void release(PeerRing ring) {
        ring.holders--;
        if (ring.takenBack && ring.holders == 0) {
            heldBack--;
            unmap(ring);
        }
    }

    /** Fills the page tables: the pages are allocated, but may have been swapped out. */
    private static void populate(PeerRing ring) throws PdException {
        try {
            ring.region.populate(0, ring.region.size());
            ring.populated = true;
        } catch (IOException e) {
            throw new PdException(Errno.ENOMEM, e.getMessage());
        }
    }

    /**
     * Handles a message of the peer that announces a ring, or takes one back. A ring that cannot be mapped fails the
     * connections that need it.
     *
     * @param message received
     * @throws IOException if the message breaks the protocol
     */
    public void learn(LinkMessage message) throws IOException {
        int number = message.number();
        long size = message.size();
        if (size == 0) {
            forget(number);
            return;
        }
        if (number < 1 || knows(number) || unusable.size() == MOST_UNUSABLE || message.descriptors() != 1) {
            throw new IOException("ring " + number + " with " + message.descriptors() + " descriptors");
        }
        if (!SendRings.isLength(size)) {
            throw new IOException("a ring of " + size + " bytes");
        }
        if (rings.size() + unmapped.size() + heldBack
                >= (long) MOST_OF_A_CONNECTION * connections.getAsInt() + MOST_FREE) {
            refuse(number, "the peer has too many rings");
            return;
        }
        take(number, message.take(0), size);
    }

    private void take(int number, Fd fd, long size) {
        try {
            SharedRegion.check(fd, size);
            SharedRegion.checkAllocated(fd, size);
        } catch (IOException e) {
            closer.close(fd);
            refuse(number, e.getMessage());
            return;
        }
        boolean held = share.hold();
        unmapped.put(number, new Unmapped(fd, size, held));
        if (held) {
            return;
        }
        try {
            map(number);
        } catch (LinuxException e) {
            unmapped.remove(number);
            fd.close();
            refuse(number, e.getMessage());
        }
    }

    private void refuse(int number, String why) {
        unusable.put(number, why);
        share.refuse();
    }

    private void forget(int number) throws IOException {
        PeerRing ring = rings.remove(number);
        Unmapped missing = unmapped.remove(number);
        if (missing != null) {
            drop(missing);
        } else if (ring == null) {
            if (unusable.remove(number) == null) {
                throw new IOException("ring " + number + " was taken back, but is not known");
            }
        } else if (ring.holders == 0) {
            unmap(ring);
        } else {
            ring.takenBack = true;
            heldBack++;
        }
    }

    private void drop(Unmapped ring) {
        ring.fd.close();
        if (ring.held) {
            share.release();
        }
    }

    /** Unmaps all rings. The link has ended, so that no ring is held. */
    public void close() {
        rings.values().forEach(this::unmap);
        rings.clear();
        unmapped.values().forEach(this::drop);
        unmapped.clear();
    }
}
