// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.memory.RingBudget;
import io.pipedevice.peer.ring.PeerRing;
import io.pipedevice.peer.ring.SendRing;
import java.nio.ByteBuffer;

/** Lends the connections of a link the larger rings of both sides. Thread safe; no method waits. */
public interface RingLender {
    /** A sender whose stream goes through a wide ring: one larger than the rings of streams whose readers keep up. */
    interface WideSender {
        /**
         * Gives the ring back if it was read and not written to since the last call, so that a connection that writes
         * no more keeps no memory. Called by the sweeper's thread, which holds the link's lock.
         *
         * @return whether the sender needs no further checks
         */
        boolean leaveIfIdle();
    }

    /**
     * Takes a ring to send from, of a size for which there is no substitute.
     *
     * @param size in bytes
     * @return the ring; null if none is available now
     */
    SendRing take(int size);

    /**
     * Takes a ring for a stream, a smaller one if the budget of rings has no room for the wanted one.
     *
     * @param size in bytes, a power of two
     * @param least the smallest size that is of use
     * @param waiter is notified when there may be such a ring again, if the budget has no room for any; may be null
     * @return the ring; null if none is available now
     */
    default SendRing take(int size, int least, RingBudget.Waiter waiter) {
        return take(size);
    }

    /**
     * A stream does not wait for memory any more.
     *
     * @param waiter that may wait
     */
    default void forget(RingBudget.Waiter waiter) {}

    /**
     * Registers a sender whose stream goes through a wide ring now: the sweeper checks whether it still needs the ring.
     *
     * @param sender to check
     */
    void widened(WideSender sender);

    /**
     * Gives back a ring that the peer has read to its end, or will never read.
     *
     * @param ring from {@link #take}
     */
    void give(SendRing ring);

    /**
     * A ring of the peer, which it must have announced.
     *
     * @param number of the ring
     * @param size of the ring, in bytes
     * @return null while this process {@linkplain #shortage() lacks the descriptor} for it
     * @throws PdException EPROTO if there is none of that number and size; ENOMEM
     */
    ByteBuffer ofPeer(int number, int size) throws PdException;

    /**
     * The same ring, which then stays mapped until {@link #release}.
     *
     * @param number of the ring
     * @param size of the ring, in bytes
     * @return null as {@link #ofPeer}
     * @throws PdException as {@link #ofPeer}
     */
    PeerRing hold(int number, int size) throws PdException;

    /**
     * Whether messages of the peer have to wait because this process is out of descriptors. When it can have more,
     * every thread that waits for this link is woken within about a second. If the shortage lasts for some seconds, the
     * link is given up.
     *
     * @return the number of the shortage, different each time; 0 if there is none
     */
    int shortage();

    /**
     * Releases a ring that was held.
     *
     * @param ring from {@link #hold}
     */
    void release(PeerRing ring);

    /** Releases the rings that the peer has taken back. Called when the peer has left a ring. */
    void releaseReturnedRings();
}
