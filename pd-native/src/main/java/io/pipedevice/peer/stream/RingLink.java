// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.memory.RingBudget;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.ring.PeerRing;
import io.pipedevice.peer.ring.SendRing;
import io.pipedevice.peer.wait.Bell;
import io.pipedevice.peer.wait.BellLink;
import io.pipedevice.peer.wait.ReadyWriter;
import io.pipedevice.peer.wait.WakeUpCost;
import java.nio.ByteBuffer;

/**
 * The services that sockets and listeners need from the link that carries their connections. Thread safe; no method
 * waits.
 */
public interface RingLink extends BellLink {
    /** The result of {@link #numberOf} if the bell cannot be announced to the peer. */
    int NO_BELL = -1;

    /** This side's end of a connection that the link carries. */
    interface End {
        /**
         * The slot of the connection.
         *
         * @return its number
         */
        int slot();

        /**
         * Whether the program has not closed this end.
         *
         * @return false from the beginning of close on
         */
        boolean isOpen();

        /** Wakes the threads of this process that wait for the connection. */
        void wake();

        /**
         * Gives back the resources that a closed end does not need.
         *
         * @return whether the peer has closed its end too, so that the slot is free
         */
        boolean release();
    }

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
     * The number by which the peer knows a bell. Announces the bell first if that was not done before. For a thread
     * that is armed without a bell the peer does not ring, but it reads its messages, so that there is room again.
     *
     * @param bell of this process
     * @return the number, or {@link #NO_BELL} if the bell cannot be announced now
     */
    int numberOf(Bell bell);

    /**
     * Notifies, through memory, the poller of the peer that an arm word names. The caller has published the readiness,
     * and fenced.
     *
     * @param armWord the peer's; not 0
     * @return for {@link #ring}, which is needed unless the result is TOLD
     */
    ReadyWriter.Told tell(long armWord);

    /**
     * Rings the bell of the peer that an arm word names, after {@link #tell} has shown that this is needed.
     *
     * @param armWord the peer's; not 0
     * @param told the result of {@link #tell}
     */
    void ring(long armWord, ReadyWriter.Told told);

    /**
     * {@linkplain #tell Notifies} the thread of the peer that an arm word names, and rings if that is needed.
     *
     * @param armWord the peer's; 0 names no thread
     */
    default void wake(long armWord) {
        if (armWord != PeerArmWord.DISARMED) {
            ReadyWriter.Told told = tell(armWord);
            if (told != ReadyWriter.Told.TOLD) {
                ring(armWord, told);
            }
        }
    }

    /**
     * The rate at which the link's connections, and those of others, may send together.
     *
     * @return the same object at each call
     */
    default SendLimit sendLimit() {
        return SendLimit.NONE;
    }

    /**
     * The cost of a wake-up by the peer process, as measured with a time that the peer supplies and bounded in case it
     * is wrong.
     *
     * @return the same object at each call
     */
    WakeUpCost wakeUpCost();

    /**
     * Takes a ring to send from, of a size for which there is no substitute.
     *
     * @param size in bytes
     * @return the ring; null if none is available now
     */
    SendRing takeRing(int size);

    /**
     * Takes a ring for a stream, a smaller one if the budget of rings has no room for the wanted one.
     *
     * @param size in bytes, a power of two
     * @param least the smallest size that is of use
     * @param waiter is told when there may be such a ring again, if the budget has no room for any; may be null
     * @return the ring; null if none is available now
     */
    default SendRing takeRing(int size, int least, RingBudget.Waiter waiter) {
        return takeRing(size);
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
     * @param ring from {@link #takeRing}
     */
    void giveRing(SendRing ring);

    /**
     * A ring of the peer, which it must have announced.
     *
     * @param number of the ring
     * @param size of the ring, in bytes
     * @return null while this process {@linkplain #shortage() lacks the descriptor} for it
     * @throws PdException EPROTO if there is none of that number and size; ENOMEM
     */
    ByteBuffer peerRing(int number, int size) throws PdException;

    /**
     * The same ring, which then stays mapped until {@link #letGo}.
     *
     * @param number of the ring
     * @param size of the ring, in bytes
     * @return null as {@link #peerRing}
     * @throws PdException as {@link #peerRing}
     */
    PeerRing holdRing(int number, int size) throws PdException;

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
     * @param ring from {@link #holdRing}
     */
    void letGo(PeerRing ring);

    /** Releases the rings that the peer has taken back. Called when the peer has left a ring. */
    void forgetRings();

    /**
     * Takes the link out of use, because the peer breaks the protocol.
     *
     * @param why for the log
     */
    void giveUp(String why);

    /**
     * Why this side has given the link up, which resets its connections.
     *
     * @return null if it has not
     */
    String whyGivenUp();

    /**
     * Reports that the peer breaks the protocol on one connection. Only that connection ends.
     *
     * @param how for the log
     */
    void suspect(String how);

    /**
     * The program has closed a connection, and its STATE says so. The link reclaims its slot and rings.
     *
     * @param end of this side
     */
    void closed(End end);
}
