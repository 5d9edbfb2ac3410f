// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.lib.PdException;
import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.ring.PeerRing;
import io.pipedevice.peer.ring.SendRing;
import io.pipedevice.peer.wait.Bell;
import io.pipedevice.peer.wait.BellLink;
import io.pipedevice.peer.wait.ReadyWriter;
import io.pipedevice.peer.wait.WakeUpCost;
import java.nio.ByteBuffer;

/** What sockets and listeners need of the link that carries their connections. Thread safe; nothing here waits. */
public interface RingLink extends BellLink {
    /** What {@link #numberOf} returns if the peer cannot be told. */
    int NO_BELL = -1;

    /** This side's end of a connection that the link carries. */
    interface End {
        /**
         * The slot that it has.
         *
         * @return its number
         */
        int slot();

        /**
         * Whether the program has not closed it.
         *
         * @return false from the beginning of close on
         */
        boolean isOpen();

        /** Wakes the threads of this process that wait for it. */
        void wake();

        /**
         * Gives back what a closed end need not keep.
         *
         * @return whether the peer has closed too, so that the slot is free
         */
        boolean release();
    }

    /** A sender whose stream goes through a ring that is larger than those for streams that are read. */
    interface WideSender {
        /**
         * Gives the ring back if it was read and not written to since this was asked last, so that a connection that writes no
         * more keeps no memory. The sweeper's thread, which has the link's lock.
         *
         * @return whether there is nothing to look at any more
         */
        boolean leaveIfIdle();
    }

    /**
     * The number by which the peer knows a bell. The peer is told first if it was not. A thread that is armed without a
     * bell is not rung for, but the peer reads what it was told, so that there is room again.
     *
     * @param bell of this process
     * @return the number, or {@link #NO_BELL} if the peer cannot be told now
     */
    int numberOf(Bell bell);

    /**
     * Tells the peer's poller that an arm word, which is not 0, names, in memory. The caller has published its readiness,
     * and fenced.
     *
     * @param armWord of the peer's
     * @return for {@link #ring}, which is needed unless this says that the peer is told
     */
    ReadyWriter.Told tell(long armWord);

    /**
     * Rings the peer's bell that an arm word, which is not 0, names, after {@link #tell} has said that this is needed.
     *
     * @param armWord of the peer's
     * @param told what {@link #tell} has returned
     */
    void ring(long armWord, ReadyWriter.Told told);

    /**
     * {@linkplain #tell Tells} the thread of the peer's that an arm word names, if it is not 0, and rings if that is
     * needed.
     *
     * @param armWord of the peer's
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
     * What it costs to be woken by the peer process, as far as its own word can be believed.
     *
     * @return the same object at each call
     */
    WakeUpCost wakeUpCost();

    /**
     * Takes a ring to send from.
     *
     * @param size in bytes
     * @return the ring; null if none can be had now
     */
    SendRing takeRing(int size);

    /**
     * A sender's stream goes through a wide ring now: the sweeper checks whether the sender needs that any more.
     *
     * @param sender is asked
     */
    void widened(WideSender sender);

    /**
     * Gives back a ring that the peer has read to its end, or never will.
     *
     * @param ring was taken
     */
    void giveRing(SendRing ring);

    /**
     * A ring of the peer's, which it must have announced.
     *
     * @param number of the ring
     * @param size of the ring, in bytes
     * @return null while this process {@linkplain #shortage() lacks the descriptor} for it
     * @throws PdException EPROTO if there is none of that number and size, ENOMEM
     */
    ByteBuffer peerRing(int number, int size) throws PdException;

    /**
     * The same ring, which now stays mapped until it is let go.
     *
     * @param number of the ring
     * @param size of the ring, in bytes
     * @return null as {@link #peerRing}
     * @throws PdException as {@link #peerRing}
     */
    PeerRing holdRing(int number, int size) throws PdException;

    /**
     * Whether what the peer has told waits, because this process may have no more descriptors. When it may again, everybody
     * who waits for something of this link is woken, within about a second; if it may not for some seconds, the link is given
     * up.
     *
     * @return which shortage that is, another number each time; 0 if there is none
     */
    int shortage();

    /**
     * A ring that was held is not used any more.
     *
     * @param ring was held
     */
    void letGo(PeerRing ring);

    /** The peer has left a ring: what it has taken back is given up. */
    void forgetRings();

    /**
     * Takes the link out of use, because the peer breaks the protocol.
     *
     * @param why for the log
     */
    void giveUp(String why);

    /**
     * Why this side has given the link up, so that its connections are reset; null if it has not.
     *
     * @return null if it has not
     */
    String whyGivenUp();

    /**
     * The peer breaks the protocol on one connection, which is all that ends for it.
     *
     * @param how for the log
     */
    void suspect(String how);

    /**
     * The program has closed a connection, whose STATE says so; its slot and rings are the link's to reclaim.
     *
     * @param end this side's
     */
    void closed(End end);
}
