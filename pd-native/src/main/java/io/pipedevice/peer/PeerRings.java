// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.lib.PdException;
import io.pipedevice.linux.Disposal;
import io.pipedevice.linux.Errno;
import io.pipedevice.linux.Fd;
import io.pipedevice.linux.LazyLogger;
import io.pipedevice.linux.LinuxException;
import io.pipedevice.memory.SharedRegion;
import java.io.IOException;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.function.IntSupplier;

/** The larger rings that the peer of a link has told of, mapped read-only. Guarded by the link's lock. */
final class PeerRings {
    private static final LazyLogger LOG = new LazyLogger(PeerRings.class);

    /** More that cannot be used than this make the link itself useless. */
    private static final int MOST_UNUSABLE = 1024;

    /** Each connection has one ring, or two while it changes from one to the other; as many may be free, */
    private static final int MOST_OF_A_CONNECTION = 4;

    /** and so many in any case. A process has no more than 65530 mappings, and needs them for other things. */
    static final int MOST_FREE = 128;

    private final Disposal disposal;

    /** How many connections the peer can have rings for. */
    private final IntSupplier connections;

    private final SharedRegion.Mapper mapper;
    private final Map<Integer, PeerRing> rings = new HashMap<>();

    /** Those for which there was no room when the peer told of them: there may be when they are needed, or needed again. */
    private final Map<Integer, Unmapped> unmapped = new HashMap<>();

    /** Those that the peer has taken back while somebody here held them. */
    private int heldBack;

    /** Those that are not what they should be, and why. */
    private final Map<Integer, String> unusable = new HashMap<>();

    PeerRings(Disposal disposal, IntSupplier connections) {
        this(disposal, connections, SharedRegion::map);
    }

    PeerRings(Disposal disposal, IntSupplier connections, SharedRegion.Mapper mapper) {
        this.disposal = disposal;
        this.connections = connections;
        this.mapper = mapper;
    }

    /** A memory object that was checked. */
    private record Unmapped(Fd fd, long size) {}

    boolean isEmpty() {
        return rings.isEmpty() && unmapped.isEmpty();
    }

    boolean knows(int number) {
        return rings.containsKey(number) || unmapped.containsKey(number) || unusable.containsKey(number);
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
        if (unmapped.containsKey(number)) {
            mapAtLast(number);
        }
        PeerRing ring = rings.get(number);
        if (ring == null || ring.region.size() != size) {
            throw new PdException(Errno.EPROTO, "the peer has not told of ring " + number + " of " + size + " bytes");
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
        SharedRegion region = mapper.map(ring.fd, ring.size);
        region.closeDescriptor();
        unmapped.remove(number);
        rings.put(number, new PeerRing(region));
    }

    /** Whoever held a ring does no more. */
    void letGo(PeerRing ring) {
        ring.holders--;
        if (ring.takenBack && ring.holders == 0) {
            heldBack--;
            ring.region.close();
        }
    }

    /** Not before somebody reads it: pages that the peer did not allocate, and never uses, would be allocated here. */
    private static void populate(PeerRing ring) throws PdException {
        try {
            ring.region.populate(0, ring.region.size());
            ring.populated = true;
        } catch (IOException e) {
            throw new PdException(Errno.ENOMEM, e.getMessage());
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
        if (number < 1 || knows(number) || unusable.size() == MOST_UNUSABLE || message.descriptors() != 1) {
            throw new IOException("ring " + number + " with " + message.descriptors() + " descriptors");
        }
        if (!SendRings.isLength(size)) {
            throw new IOException("a ring of " + size + " bytes");
        }
        if (rings.size() + unmapped.size() + heldBack
                >= (long) MOST_OF_A_CONNECTION * connections.getAsInt() + MOST_FREE) {
            unusable.put(number, "the peer has too many rings");
            return;
        }
        take(number, message.take(0), size);
    }

    private void take(int number, Fd fd, long size) {
        try {
            SharedRegion.check(fd, size);
        } catch (IOException e) {
            disposal.close(fd);
            unusable.put(number, e.getMessage());
            return;
        }
        unmapped.put(number, new Unmapped(fd, size));
        try {
            map(number);
        } catch (LinuxException e) {
            LOG.get().log(Level.DEBUG, "no room for a ring of {0} bytes: {1}", size, e.getMessage());
        }
    }

    private void forget(int number) throws IOException {
        PeerRing ring = rings.remove(number);
        Unmapped missing = unmapped.remove(number);
        if (missing != null) {
            missing.fd.close();
        } else if (ring == null) {
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
        unmapped.values().forEach(ring -> ring.fd.close());
        unmapped.clear();
    }
}
