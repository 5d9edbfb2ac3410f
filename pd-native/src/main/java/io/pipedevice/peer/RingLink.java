// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.lib.PdException;
import java.nio.ByteBuffer;

/** What sockets and listeners need of the link that carries their connections. Thread safe; nothing here waits. */
interface RingLink {
    int NO_BELL = -1;

    /** This side's end of a connection that the link carries. */
    interface End {
        /** Which of the link's slots it has. */
        int slot();

        /** Whether the program has not closed it. */
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

    LinkMemory own();

    LinkMemory peer();

    /**
     * Number by which the peer knows a bell; it is told first if it was not; {@link #NO_BELL} if it cannot be told now.
     * Whoever is armed without a bell is not rung for, but the peer reads what it was told, so that there is room again.
     */
    int numberOf(Bell bell);

    /**
     * Tells the peer's poller that an arm word, which is not 0, names, in memory. The caller has published its readiness, and
     * fenced.
     *
     * @return for {@link #ring}, which is needed unless this says that the peer is told
     */
    ReadyWriter.Told tell(long armWord);

    /** Rings the peer's bell that an arm word, which is not 0, names, after {@link #tell} has said that this is needed. */
    void ring(long armWord, ReadyWriter.Told told);

    /** {@linkplain #tell Tells} the thread of the peer's that an arm word names, if it is not 0, and rings if that is needed. */
    default void wake(long armWord) {
        if (armWord != PeerArmWord.DISARMED) {
            ReadyWriter.Told told = tell(armWord);
            if (told != ReadyWriter.Told.TOLD) {
                ring(armWord, told);
            }
        }
    }

    /** The ready ring of a poller's bell, for its poller; null while the peer has none for it, and if that is not known now. */
    ReadyReader readyReader(Bell bell);

    /** What it costs to be woken by the peer process, as far as its own word can be believed. */
    WakeUpCost wakeUpCost();

    /** A ring to send from; null if none can be had now. */
    SendRing takeRing(int size);

    /** A sender's stream goes through a wide ring now: the sweeper looks whether it needs that any more. */
    void widened(WideSender sender);

    /** A ring that the peer has read to its end, or never will. */
    void giveRing(SendRing ring);

    /**
     * A ring of the peer's, which it must have told of; null while this process {@linkplain #shortage() lacks the
     * descriptor} for it.
     *
     * @throws PdException EPROTO if there is none of that number and size, ENOMEM
     */
    ByteBuffer peerRing(int number, int size) throws PdException;

    /**
     * The same ring, which now stays mapped until it is let go.
     *
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

    /** A ring that was held. */
    void letGo(PeerRing ring);

    /** The peer has left a ring: what it has taken back is given up. */
    void forgetRings();

    /** Takes the link out of use, because the peer does what it must not. */
    void giveUp(String why);

    /** Whether the peer process is gone. */
    boolean isBroken();

    /** Why this side has given the link up, so that its connections are reset; null if it has not. */
    String whyGivenUp();

    /** The peer breaks the protocol on one connection, which is all that ends for it. */
    void suspect(String how);

    /** The program has closed a connection, whose STATE says so; its slot and rings are the link's to reclaim. */
    void closed(End end);
}
