// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.linux.LinuxException;
import io.pipedevice.memory.SharedRegion;
import io.pipedevice.peer.protocol.AcceptEntry;
import io.pipedevice.peer.protocol.LinkMemoryDescriptor;
import io.pipedevice.peer.protocol.LinkMessageDescriptor;
import io.pipedevice.test.RawPeer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Random;

/**
 * The traffic of an honest peer on some connections of a link, in random order: it connects or accepts, writes, also
 * into rings of both kinds, reads everything, and closes. Used by one thread.
 */
final class RawTraffic {
    /** The number of slots in use. */
    static final int SLOTS = 4;

    private static final int RING_BITS = 16;
    private static final int MOST_RINGS = 8;

    /** Size of a ring after the base ring, in bytes. */
    static final int RING = 1 << RING_BITS;

    /** The most bytes of one write. */
    static final int PIECE = 2000;

    private final InetSocketAddress server;
    private final RawPeer raw;
    private final boolean client;
    private final List<HeldPort> locals;
    private final boolean shows;
    private final Random random;
    private final int[] generations = new int[SLOTS];
    private final long[] tails = new long[SLOTS];
    private final int[] switches = new int[SLOTS];
    private final long[] switched = new long[SLOTS];

    /** The ring of blocks in which a slot's stream lies; null if it lies in a ring of another kind. */
    private final SharedRegion[] blocks = new SharedRegion[SLOTS];

    private final int[] entries = new int[SLOTS];

    /** Whether the slot's stream has ended. */
    private final boolean[] finished = new boolean[SLOTS];

    private int lastRing;

    /**
     * Begins traffic on a link after its handshake.
     *
     * @param client whether this side connects
     * @param server the listener's address
     * @param locals the client's ports, one for each slot
     * @param shows whether the client shows them, which a server that trusts names alone does not need
     */
    RawTraffic(
            RawPeer raw,
            boolean client,
            InetSocketAddress server,
            List<HeldPort> locals,
            boolean shows,
            Random random) {
        this.raw = raw;
        this.client = client;
        this.server = server;
        this.locals = locals;
        this.shows = shows;
        this.random = random;
    }

    /** The generation of a slot's connection, 0 if it had none. */
    int generation(int slot) {
        return generations[slot];
    }

    /** The number of bytes written to a slot's connection. */
    long tail(int slot) {
        return tails[slot];
    }

    int lastRing() {
        return lastRing;
    }

    /** Takes a few of these steps. */
    void step() throws IOException {
        if (!client) {
            accept();
        }
        int slot = random.nextInt(SLOTS);
        if (client && (generations[slot] == 0 || random.nextInt(32) == 0)) {
            connect(slot);
        }
        if (generations[slot] == 0) {
            return;
        }
        if (!finished[slot] && random.nextInt(16) == 0) {
            changeRing(slot);
        }
        if (!finished[slot]) {
            write(slot);
        }
        if (isMet(slot)) {
            raw.word(slot, LinkMemoryDescriptor.HEAD_OFFSET, raw.peerWord(slot, LinkMemoryDescriptor.TAIL_OFFSET));
        }
        raw.ring(raw.peerWord(slot, LinkMemoryDescriptor.WRITE_ARM_OFFSET));
        if (random.nextInt(64) == 0) {
            finished[slot] = true;
            raw.sayState(slot, generations[slot], LinkMemoryDescriptor.OPEN | LinkMemoryDescriptor.FIN);
        }
    }

    private void accept() throws LinuxException {
        AcceptEntry entry = raw.accept();
        if (entry != null && entry.slot() < SLOTS) {
            begin(entry.slot(), entry.generation());
        }
    }

    private void connect(int slot) throws LinuxException {
        if (generations[slot] != 0) {
            raw.sayState(
                    slot,
                    generations[slot],
                    LinkMemoryDescriptor.OPEN | LinkMemoryDescriptor.FIN | LinkMemoryDescriptor.CLOSED);
            long state = raw.peerWord(slot, LinkMemoryDescriptor.STATE_OFFSET);
            if ((LinkMemoryDescriptor.flags(state, generations[slot]) & LinkMemoryDescriptor.CLOSED) == 0) {
                return;
            }
        }
        begin(slot, generations[slot] + 1);
        if (shows) {
            raw.say(LinkMessageDescriptor.PORT, slot, 0, locals.get(slot).fd());
        }
        raw.connect(slot, generations[slot], locals.get(slot).address(), server);
    }

    /** Writes the entry of another connection in a slot, which may be in use. It is not posted. */
    void post(int slot) {
        raw.entry(slot, generations[slot] + 1, locals.get(slot).address(), server);
    }

    private void begin(int slot, int generation) {
        generations[slot] = generation;
        tails[slot] = 0;
        switches[slot] = 0;
        switched[slot] = 0;
        blocks[slot] = null;
        finished[slot] = false;
    }

    /** Whether the words of the other side's slot belong to this connection. */
    private boolean isMet(int slot) {
        return LinkMemoryDescriptor.flags(raw.peerWord(slot, LinkMemoryDescriptor.STATE_OFFSET), generations[slot])
                != 0;
    }

    private long head(int slot) {
        return isMet(slot) ? raw.peerWord(slot, LinkMemoryDescriptor.HEAD_OFFSET) : 0;
    }

    /** Continues the stream in another ring, if the other side has read some of the last one. */
    private void changeRing(int slot) throws IOException {
        long head = head(slot);
        if (lastRing == MOST_RINGS || (switches[slot] > 0 && head <= switched[slot])) {
            return;
        }
        boolean ofBlocks = random.nextBoolean();
        int size = RING;
        lastRing = raw.announceRing(ofBlocks ? LinkMemoryDescriptor.blockRing(size) : size);
        blocks[slot] = ofBlocks ? raw.ring(lastRing) : null;
        entries[slot] = 0;
        switched[slot] = tails[slot];
        int count = ++switches[slot];
        raw.word(slot, LinkMemoryDescriptor.switchOffset(count), tails[slot]);
        int kind = RING_BITS | (ofBlocks ? LinkMemoryDescriptor.BLOCKS : 0);
        raw.word(slot, LinkMemoryDescriptor.ringOffset(count), LinkMemoryDescriptor.ringWord(lastRing, kind, count));
    }

    private void write(int slot) throws LinuxException {
        int length = 1 + random.nextInt(PIECE);
        long head = head(slot);
        if (tails[slot] + length - head > LinkMemoryDescriptor.BASE_RING_LENGTH) {
            return;
        }
        if (blocks[slot] != null) {
            long entry = (long) random.nextInt(RING - length) << 32 | length;
            int at = LinkMemoryDescriptor.blockEntry(RING, entries[slot]++);
            blocks[slot].memory().asByteBuffer().putLong(at, entry);
        }
        tails[slot] += length;
        raw.tail(slot, tails[slot]);
    }

    /** A slot whose stream lies in a ring of blocks; -1 if there is none. */
    int slotOfBlocks() {
        int first = random.nextInt(SLOTS);
        for (int i = 0; i < SLOTS; i++) {
            int slot = (first + i) % SLOTS;
            if (blocks[slot] != null) {
                return slot;
            }
        }
        return -1;
    }

    /** Writes a wrong entry of the slot's ring of blocks, if there is room for it. */
    void spoilBlock(int slot, int offset, int length, int written) throws LinuxException {
        if (tails[slot] + written - head(slot) > LinkMemoryDescriptor.BASE_RING_LENGTH) {
            return;
        }
        int at = LinkMemoryDescriptor.blockEntry(RING, entries[slot]++);
        blocks[slot]
                .memory()
                .asByteBuffer()
                .putLong(at, (long) offset << Integer.SIZE | Integer.toUnsignedLong(length));
        tails[slot] += written;
        raw.tail(slot, tails[slot]);
    }
}
