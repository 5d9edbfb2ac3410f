// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.SharedRegion;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** The larger rings that the peer of a link has told of, mapped read-only. Guarded by the link's lock. */
final class PeerRings {
    /** Each connection has one, or two while it changes from one to the other; and some are free. */
    private static final int MOST = 3 * LinkMemoryDescriptor.MAX_CONNECTIONS;

    private final Disposal disposal;
    private final Map<Integer, PeerRing> rings = new HashMap<>();

    /** Those that the peer has taken back while somebody here held them. */
    private int heldBack;

    /** Those that could not be mapped, and why. */
    private final Map<Integer, String> unusable = new HashMap<>();

    PeerRings(Disposal disposal) {
        this.disposal = disposal;
    }

    boolean isEmpty() {
        return rings.isEmpty();
    }

    boolean knows(int number) {
        return rings.containsKey(number) || unusable.containsKey(number);
    }

    /**
     * A ring by its number.
     *
     * @throws PdException if there is none of that size, or it could not be mapped
     */
    PeerRing get(int number, int size) throws PdException {
        String why = unusable.get(number);
        if (why != null) {
            throw new PdException(Errno.ENOMEM, why);
        }
        PeerRing ring = rings.get(number);
        if (ring == null || ring.region.size() != size) {
            throw new PdException(Errno.EPROTO, "the peer has not told of ring " + number + " of " + size + " bytes");
        }
        return ring;
    }

    /** Whoever held a ring does no more. */
    void letGo(PeerRing ring) {
        ring.holders--;
        if (ring.takenBack && ring.holders == 0) {
            heldBack--;
            ring.region.close();
        }
    }

    /**
     * The peer tells of a ring, or that it is gone. One that cannot be used is the misfortune of those who need it.
     *
     * @throws IOException if it does so in a wrong way
     */
    void learn(LinkMessage message) throws IOException {
        int number = message.number();
        long size = message.size();
        if (size == 0) {
            forget(number);
            return;
        }
        if (number < 1
                || knows(number)
                || rings.size() + unusable.size() + heldBack >= MOST
                || message.descriptors() != 1) {
            throw new IOException("ring " + number + " with " + message.descriptors() + " descriptors");
        }
        if (!SendRings.isLength(size)) {
            throw new IOException("a ring of " + size + " bytes");
        }
        SharedRegion region = null;
        try {
            region = SharedRegion.attach(message.take(0), size, disposal::close);
            region.closeDescriptor();
            region.populate(0, size);
            rings.put(number, new PeerRing(region));
        } catch (IOException e) {
            if (region != null) {
                region.close();
            }
            unusable.put(number, e.getMessage());
        }
    }

    private void forget(int number) throws IOException {
        PeerRing ring = rings.remove(number);
        if (ring == null) {
            if (unusable.remove(number) == null) {
                throw new IOException("ring " + number + ", which there is not, is gone");
            }
        } else if (ring.holders == 0) {
            ring.region.close();
        } else {
            ring.takenBack = true;
            heldBack++;
        }
    }

    /** The link has ended: nobody holds anything. */
    void close() {
        rings.values().forEach(ring -> ring.region.close());
        rings.clear();
    }
}
