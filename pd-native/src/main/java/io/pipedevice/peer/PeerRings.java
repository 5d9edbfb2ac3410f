// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.SharedRegion;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/** The larger rings that the peer of a link has told of, mapped read-only. Guarded by the link's lock. */
final class PeerRings {
    /** Each connection has one, or two while it changes from one to the other; and some are free. */
    private static final int MOST = 3 * LinkMemoryDescriptor.MAX_CONNECTIONS;

    private final Disposal disposal;
    private final Map<Integer, SharedRegion> regions = new HashMap<>();

    /** Those that could not be mapped, and why. */
    private final Map<Integer, String> unusable = new HashMap<>();

    PeerRings(Disposal disposal) {
        this.disposal = disposal;
    }

    boolean isEmpty() {
        return regions.isEmpty();
    }

    boolean knows(int number) {
        return regions.containsKey(number) || unusable.containsKey(number);
    }

    /**
     * A ring by its number.
     *
     * @throws PdException if there is none of that size, or it could not be mapped
     */
    ByteBuffer get(int number, int size) throws PdException {
        String why = unusable.get(number);
        if (why != null) {
            throw new PdException(Errno.ENOMEM, why);
        }
        SharedRegion region = regions.get(number);
        if (region == null || region.size() != size) {
            throw new PdException(Errno.EPROTO, "the peer has not told of ring " + number + " of " + size + " bytes");
        }
        return region.memory().asByteBuffer();
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
        if (number < 1 || knows(number) || regions.size() + unusable.size() == MOST || message.descriptors() != 1) {
            throw new IOException("ring " + number + " with " + message.descriptors() + " descriptors");
        }
        if (size < SendRings.MIN_SIZE || size > SendRings.MAX_SIZE || Long.bitCount(size) != 1) {
            throw new IOException("a ring of " + size + " bytes");
        }
        SharedRegion region = null;
        try {
            region = SharedRegion.attach(message.take(0), size, disposal::close);
            region.closeDescriptor();
            region.populate(0, size);
            regions.put(number, region);
        } catch (IOException e) {
            if (region != null) {
                region.close();
            }
            unusable.put(number, e.getMessage());
        }
    }

    private void forget(int number) throws IOException {
        SharedRegion region = regions.remove(number);
        if (region != null) {
            region.close();
        } else if (unusable.remove(number) == null) {
            throw new IOException("ring " + number + ", which there is not, is gone");
        }
    }

    void close() {
        regions.values().forEach(SharedRegion::close);
        regions.clear();
    }
}
