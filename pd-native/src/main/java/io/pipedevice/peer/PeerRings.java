// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.linux.Disposal;
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

    PeerRings(Disposal disposal) {
        this.disposal = disposal;
    }

    boolean isEmpty() {
        return regions.isEmpty();
    }

    /** A ring by its number; null if there is none of that size. */
    ByteBuffer get(int number, int size) {
        SharedRegion region = regions.get(number);
        return region != null && region.size() == size ? region.memory().asByteBuffer() : null;
    }

    /**
     * The peer tells of a ring, or that it is gone.
     *
     * @throws IOException if it does so in a wrong way, or there is no memory to map it
     */
    void learn(LinkMessage message) throws IOException {
        int number = message.number();
        long size = message.size();
        if (size == 0) {
            forget(number);
            return;
        }
        if (number < 1 || regions.containsKey(number) || regions.size() == MOST || message.descriptors() != 1) {
            throw new IOException("ring " + number + " with " + message.descriptors() + " descriptors");
        }
        if (size < SendRings.MIN_SIZE || size > SendRings.MAX_SIZE || Long.bitCount(size) != 1) {
            throw new IOException("a ring of " + size + " bytes");
        }
        SharedRegion region = SharedRegion.attach(message.take(0), size, disposal::close);
        try {
            region.closeDescriptor();
            region.populate(0, size);
        } catch (IOException e) {
            region.close();
            throw e;
        }
        regions.put(number, region);
    }

    private void forget(int number) throws IOException {
        SharedRegion region = regions.remove(number);
        if (region == null) {
            throw new IOException("ring " + number + ", which there is not, is gone");
        }
        region.close();
    }

    void close() {
        regions.values().forEach(SharedRegion::close);
        regions.clear();
    }
}
