// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.stream;

import io.pipedevice.peer.protocol.PeerArmWord;
import io.pipedevice.peer.wait.Bell;
import io.pipedevice.peer.wait.BellLink;
import io.pipedevice.peer.wait.ReadyWriter;
import io.pipedevice.peer.wait.WakeUpCost;

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
     * @return for {@link #ring}, which is needed unless the result is {@link ReadyWriter.Announcement#ENOUGH}
     */
    ReadyWriter.Announcement announce(long armWord);

    /**
     * Rings the bell of the peer that an arm word names, after {@link #announce} has shown that this is needed.
     *
     * @param armWord the peer's; not 0
     * @param announcement the result of {@link #announce}
     */
    void ring(long armWord, ReadyWriter.Announcement announcement);

    /**
     * {@linkplain #announce Notifies} the thread of the peer that an arm word names, and rings if that is needed.
     *
     * @param armWord the peer's; 0 names no thread
     */
    default void wake(long armWord) {
        if (armWord != PeerArmWord.DISARMED) {
            ReadyWriter.Announcement announcement = announce(armWord);
            if (announcement != ReadyWriter.Announcement.ENOUGH) {
                ring(armWord, announcement);
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
     * The larger rings of both sides.
     *
     * @return the same object at each call
     */
    RingLender rings();

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
    void reportViolation(String how);

    /**
     * The program has closed a connection, and its STATE says so. The link reclaims its slot and rings.
     *
     * @param end of this side
     */
    void closed(End end);
}
