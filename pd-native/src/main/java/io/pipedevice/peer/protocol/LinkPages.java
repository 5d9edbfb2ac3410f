// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.protocol;

import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.Memory;
import io.pipedevice.memory.RingBudget;
import io.pipedevice.memory.SharedRegion;
import java.io.IOException;
import java.lang.foreign.ValueLayout;
import java.util.BitSet;

/**
 * Allocates and maps the pages of a link's two memories before they are used, so that a lack of memory causes an
 * exception instead of a signal. Guarded by the link's lock.
 */
public final class LinkPages {
    private static final int CONNECTIONS_AT_ONCE = 16;
    private static final int ENTRIES_AT_ONCE = 64;

    private final OwnMemory own;
    private final SharedRegion peer;
    private final BitSet connections = new BitSet();

    /** Batches of slots that were allocated only for refusals. */
    private final BitSet slots = new BitSet();

    private final BitSet entries = new BitSet();

    /**
     * Manages the pages of both memories, of which this side's count in no budget.
     *
     * @param own this side's
     * @param peer the peer's
     */
    public LinkPages(SharedRegion own, SharedRegion peer) {
        this(new OwnMemory(own, new RingBudget(Long.MAX_VALUE)), peer);
    }

    /**
     * Manages the pages of both memories.
     *
     * @param own this side's
     * @param peer the peer's
     */
    public LinkPages(OwnMemory own, SharedRegion peer) {
        this.own = own;
        this.peer = peer;
    }

    /**
     * The length of each memory.
     *
     * @return in bytes
     */
    public static long length() {
        return end(LinkMemoryDescriptor.LENGTH);
    }

    /**
     * Allocates and maps the slot and the base ring of a connection, on both sides, if the budget has room for them.
     *
     * @param connection number of the slot
     * @throws IOException if there is no memory or no room
     */
    public void connection(int connection) throws IOException {
        int batch = connection / CONNECTIONS_AT_ONCE;
        if (!connections.get(batch)) {
            int first = batch * CONNECTIONS_AT_ONCE;
            own.allocateInBudget(
                    LinkMemoryDescriptor.slot(first), CONNECTIONS_AT_ONCE * LinkMemoryDescriptor.SLOT_LENGTH);
            own.allocateInBudget(
                    LinkMemoryDescriptor.baseRing(first), CONNECTIONS_AT_ONCE * LinkMemoryDescriptor.BASE_RING_LENGTH);
            accepted(connection);
        }
    }

    /**
     * Allocates and maps the slot and the base ring of a connection, on both sides. The client has made the connection,
     * so that it is too late to leave it to the kernel: it counts even if the budget has no room for it.
     *
     * @param connection number of the slot
     * @throws IOException if there is no memory
     */
    public void accepted(int connection) throws IOException {
        int batch = connection / CONNECTIONS_AT_ONCE;
        if (!connections.get(batch)) {
            int first = batch * CONNECTIONS_AT_ONCE;
            both(LinkMemoryDescriptor.slot(first), CONNECTIONS_AT_ONCE * LinkMemoryDescriptor.SLOT_LENGTH);
            both(LinkMemoryDescriptor.baseRing(first), CONNECTIONS_AT_ONCE * LinkMemoryDescriptor.BASE_RING_LENGTH);
            connections.set(batch);
            used(batch);
        }
    }

    /** Publishes that slots up to those of a batch are allocated on this side. */
    private void used(int batch) {
        long end = (long) (batch + 1) * CONNECTIONS_AT_ONCE;
        if (end > own.region().memory().get(ValueLayout.JAVA_LONG, LinkMemoryDescriptor.USED_SLOTS_OFFSET)) {
            own.region().memory().set(ValueLayout.JAVA_LONG, LinkMemoryDescriptor.USED_SLOTS_OFFSET, end);
        }
    }

    /**
     * Whether the client, which is the peer, has allocated its slot and base ring of a connection. This process must
     * not read a page that is not allocated: the read would allocate it.
     *
     * @param connection number of the slot
     * @return whether this process may read it
     * @throws LinuxException if the kernel does not answer
     */
    public boolean isPeers(int connection) throws LinuxException {
        int first = connection / CONNECTIONS_AT_ONCE * CONNECTIONS_AT_ONCE;
        return connections.get(connection / CONNECTIONS_AT_ONCE)
                || (isPeers(LinkMemoryDescriptor.slot(first), CONNECTIONS_AT_ONCE * LinkMemoryDescriptor.SLOT_LENGTH)
                        && isPeers(
                                LinkMemoryDescriptor.baseRing(first),
                                CONNECTIONS_AT_ONCE * LinkMemoryDescriptor.BASE_RING_LENGTH));
    }

    private boolean isPeers(long offset, long length) throws LinuxException {
        return peer.isAllocated(begin(offset), end(offset + length) - begin(offset));
    }

    /**
     * Allocates the slot of a connection that is refused, on this side.
     *
     * @param connection number of the slot
     * @throws IOException if there is no memory
     */
    public void refusal(int connection) throws IOException {
        int batch = connection / CONNECTIONS_AT_ONCE;
        if (!connections.get(batch) && !slots.get(batch)) {
            int first = batch * CONNECTIONS_AT_ONCE;
            own.allocate(LinkMemoryDescriptor.slot(first), CONNECTIONS_AT_ONCE * LinkMemoryDescriptor.SLOT_LENGTH);
            slots.set(batch);
            used(batch);
        }
    }

    /**
     * Whether the slot of a connection is allocated on this side.
     *
     * @param connection number of the slot
     * @return whether this side may read its own words of the slot
     */
    public boolean isOwn(int connection) {
        int batch = connection / CONNECTIONS_AT_ONCE;
        return connections.get(batch) || slots.get(batch);
    }

    private void both(long offset, int length) throws IOException {
        own.allocate(offset, length);
        populate(peer, offset, length);
    }

    /**
     * Allocates an entry of the accept ring that this side, the client, is about to write.
     *
     * @param position of the entry
     * @throws IOException if there is no memory
     */
    public void entryToWrite(long position) throws IOException {
        int batch = batch(position);
        if (!entries.get(batch)) {
            own.allocate(firstEntry(batch), ENTRIES_AT_ONCE * LinkMemoryDescriptor.ENTRY_LENGTH);
            entries.set(batch);
        }
    }

    /**
     * Maps an entry of the accept ring that the peer, the client, has written.
     *
     * @param position of the entry
     * @return false if the client has not allocated it
     * @throws IOException if there is no memory
     */
    public boolean entryToRead(long position) throws IOException {
        int batch = batch(position);
        if (!entries.get(batch)) {
            if (!isPeers(firstEntry(batch), ENTRIES_AT_ONCE * LinkMemoryDescriptor.ENTRY_LENGTH)) {
                return false;
            }
            populate(peer, firstEntry(batch), ENTRIES_AT_ONCE * LinkMemoryDescriptor.ENTRY_LENGTH);
            entries.set(batch);
        }
        return true;
    }

    /**
     * Allocates the poller of a bell of this side.
     *
     * @param bell its number
     * @throws IOException if there is no memory
     */
    public void poller(int bell) throws IOException {
        own.allocate(ReadySetDescriptor.poller(bell), ReadySetDescriptor.POLLER_LENGTH);
    }

    /**
     * Allocates the ready ring that this side writes for a bell of the peer, and maps the peer's poller, which this
     * side reads.
     *
     * @param bell its number
     * @return false if the peer has not allocated the poller
     * @throws IOException if there is no memory
     */
    public boolean readyRingToWrite(int bell) throws IOException {
        if (!populateIfThere(ReadySetDescriptor.poller(bell), ReadySetDescriptor.POLLER_LENGTH)) {
            return false;
        }
        own.allocate(ReadySetDescriptor.ringer(bell), ReadySetDescriptor.RINGER_LENGTH);
        own.allocate(ReadySetDescriptor.ring(bell), ReadySetDescriptor.RING_LENGTH);
        return true;
    }

    /**
     * Maps the ready ring that the peer writes for a bell of this side.
     *
     * @param bell its number
     * @return false while the peer has not allocated it
     * @throws IOException if there is no memory
     */
    public boolean readyRingToRead(int bell) throws IOException {
        return populateIfThere(ReadySetDescriptor.ringer(bell), ReadySetDescriptor.RINGER_LENGTH)
                && populateIfThere(ReadySetDescriptor.ring(bell), ReadySetDescriptor.RING_LENGTH);
    }

    private boolean populateIfThere(long offset, long length) throws IOException {
        if (!isPeers(offset, length)) {
            return false;
        }
        populate(peer, offset, length);
        return true;
    }

    private static int batch(long position) {
        return (int) (position & LinkMemoryDescriptor.MAX_CONNECTIONS - 1) / ENTRIES_AT_ONCE;
    }

    private static int firstEntry(int batch) {
        return LinkMemoryDescriptor.entry((long) batch * ENTRIES_AT_ONCE);
    }

    /**
     * Allocates a part of this side's memory, in whole pages, which can be larger than 4 KB.
     *
     * @param own this side's memory
     * @param offset of the part
     * @param length of the part, in bytes
     * @throws IOException if there is no memory
     */
    public static void allocate(SharedRegion own, long offset, long length) throws IOException {
        long begin = begin(offset);
        own.allocate(begin, end(offset + length) - begin);
    }

    /**
     * Maps a part of the peer's memory, in whole pages.
     *
     * @param peer the peer's memory
     * @param offset of the part
     * @param length of the part, in bytes
     * @throws IOException if there is no memory
     */
    public static void populate(SharedRegion peer, long offset, long length) throws IOException {
        long begin = begin(offset);
        peer.populate(begin, end(offset + length) - begin);
    }

    private static long begin(long offset) {
        return offset & -Memory.pageSize();
    }

    private static long end(long offset) {
        return Memory.wholePages(offset);
    }
}
