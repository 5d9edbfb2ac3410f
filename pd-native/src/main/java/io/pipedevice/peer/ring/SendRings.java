// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.ring;

import io.pipedevice.linux.Errno;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.UnixSocket;
import io.pipedevice.memory.RingBudget;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkMessage;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;

/**
 * The larger rings from which this side of a link sends. Each is a memory object of its own, announced to the peer
 * once. A few free rings are kept for a while for the next connections. Guarded by the link's lock.
 */
public final class SendRings {
    /** The smallest ring, in bytes. */
    public static final int MIN_SIZE = 64 << 10;
    /** The largest ring, in bytes. */
    public static final int MAX_SIZE = 4 << 20;

    private static final LazyLogger LOG = new LazyLogger(SendRings.class);

    /**
     * Free rings are kept of this size together, and of that of the rings in use. Where threads wait for processors all
     * streams of a link change between large rings; to close a ring takes as long as all threads of the JVM need to get
     * a processor, and other threads wait for the link meanwhile.
     */
    private static final int FREE_BYTES = 8 << 20;

    private final UnixSocket socket;
    private final LinkMessage message;
    private final PeerBudget.Share share;
    private final RingBudget budget;
    private final Map<Integer, SharedRegion> regions = new HashMap<>();

    /** The free rings; the one that was given back last is first. */
    private final ArrayDeque<SendRing> free = new ArrayDeque<>();

    private long freeBytes;

    /** Of all rings, free ones included. */
    private long allBytes;

    /** How many of the free rings, counted from the last, have been free since the last sweep. */
    private int unwanted;

    private int lastNumber;

    /**
     * Creates an empty pool.
     *
     * @param socket on which rings are announced
     * @param message is filled in
     * @param share counts mappings
     * @param budget counts bytes, also of free rings
     */
    public SendRings(UnixSocket socket, LinkMessage message, PeerBudget.Share share, RingBudget budget) {
        this.socket = socket;
        this.share = share;
        this.budget = budget;
        this.message = message;
    }

    /** Whether a ring can have this length: a power of two, or that plus the entries of blocks. */
    static boolean isLength(long length) {
        int size = (int) Math.min(Long.highestOneBit(length), MAX_SIZE);
        return size >= MIN_SIZE && (length == size || length == LinkMemoryDescriptor.blockRing(size));
    }

    /**
     * Takes a ring of a size for which there is no substitute.
     *
     * @param size in bytes
     * @return the ring; null if none is available now
     */
    public SendRing take(int size) {
        SendRing kept = takeFree(size);
        if (kept != null) {
            return kept;
        }
        boolean counted = budget.take(size);
        for (boolean sent = true; !counted && sent && hasFree(); counted = sent && budget.take(size)) {
            sent = dropLast();
        }
        return counted ? createCounted(size) : null;
    }

    /**
     * Takes a ring for a stream, a smaller one if the budget has no room for the wanted one.
     *
     * @param size in bytes, a power of two
     * @param least the smallest size that is of use
     * @param waiter is notified when there may be such a ring again, if the budget has no room for any; may be null
     * @return the ring; null if none is available now
     */
    public SendRing take(int size, int least, RingBudget.Waiter waiter) {
        SendRing kept = takeFree(size);
        if (kept != null) {
            return kept;
        }
        // The free rings of this link give way first.
        for (boolean sent = true; sent && hasFree() && !budget.permits(size); ) {
            sent = dropLast();
        }
        int counted = (int) budget.takePart(size, least, waiter);
        return counted == 0 ? null : createCounted(counted);
    }

    private SendRing takeFree(int size) {
        if (!isLength(size)) {
            throw new IllegalArgumentException("a ring of " + size + " bytes");
        }
        int wanted = free.size() - unwanted;
        for (Iterator<SendRing> each = free.iterator(); each.hasNext(); wanted--) {
            SendRing ring = each.next();
            if (ring.bytes().capacity() == size) {
                each.remove();
                freeBytes -= size;
                unwanted -= wanted > 0 ? 0 : 1;
                return ring;
            }
        }
        return null;
    }

    /** Creates a ring whose bytes are counted. */
    private SendRing createCounted(int size) {
        boolean mapped = lastNumber != Integer.MAX_VALUE && share.mapOwn();
        SendRing created = mapped ? create(size) : null;
        if (created == null) {
            budget.release(size);
            share.unmapOwn(mapped ? 1 : 0);
        }
        return created;
    }

    private SendRing create(int size) {
        SharedRegion region = null;
        boolean sent = false;
        try {
            region = SharedRegion.create("pd-ring", size, false);
            region.allocate(0, size);
            int number = lastNumber + 1;
            sent = message.send(socket, LinkMessageDescriptor.RING, number, size, region.fd());
            if (!sent) {
                return null;
            }
            lastNumber = number;
            region.closeDescriptor();
            regions.put(number, region);
            allBytes += size;
            return new SendRing(number, region.memory().asByteBuffer());
        } catch (IOException e) {
            LOG.get().log(Level.DEBUG, "no ring of {0} bytes: {1}", size, e.getMessage());
            return null;
        } finally {
            if (region != null && !sent) {
                region.close();
            }
        }
    }

    /**
     * Gives back a ring that neither end uses any more.
     *
     * @param ring from {@link #take}
     */
    public void give(SendRing ring) {
        free.addFirst(ring);
        freeBytes += ring.bytes().capacity();
        boolean sent = true;
        while (sent && (freeBytes > FREE_BYTES + (allBytes - freeBytes) || free.size() > PeerRings.MOST_FREE)) {
            sent = dropLast();
        }
    }

    /** Drops the rings that have stayed free since the last sweep. */
    public void sweep() {
        boolean sent = true;
        while (sent && unwanted > 0) {
            sent = dropLast();
        }
        unwanted = free.size();
    }

    /**
     * Whether free rings are kept.
     *
     * @return whether {@link #take} may succeed without new memory
     */
    public boolean hasFree() {
        return !free.isEmpty();
    }

    /** Frees the memory of a ring, if that can be announced to the peer; else false. */
    private boolean dropLast() {
        SendRing ring = free.getLast();
        try {
            if (!message.send(socket, LinkMessageDescriptor.RING, ring.number(), 0)) {
                return false;
            }
        } catch (LinuxException e) {
            if (Errno.isExhausted(e.errno())) {
                return false;
            }
            // The peer is gone, and so is its mapping.
            LOG.get().log(Level.DEBUG, "a ring is dropped without telling the peer: {0}", e.getMessage());
        }
        free.removeLast();
        freeBytes -= ring.bytes().capacity();
        unwanted = Math.max(0, unwanted - 1);
        drop(regions.remove(ring.number()));
        return true;
    }

    private void drop(SharedRegion region) {
        region.close();
        allBytes -= region.size();
        share.unmapOwn(1);
        budget.release(region.size());
    }

    /** Unmaps all rings. */
    public void close() {
        regions.values().forEach(this::drop);
        regions.clear();
        free.clear();
    }
}
