// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

/** A client that has a link with a listener, as the listener's rule sees it. Thread safe. */
public interface Claimant extends MeteredLink {
    /**
     * The process of the client.
     *
     * @return its number, or 0 if it is in another PID namespace
     */
    int pid();

    /**
     * Whether the link exists, as far as is known. Takes no lock.
     *
     * @return false if it is given up, or its client is gone
     */
    boolean isUsable();

    /**
     * Whether a connection waits to be accepted. Any thread; takes no lock.
     *
     * @return the answer at the moment of the call
     */
    boolean isWaiting();

    /**
     * Whether the client still announces a connection that it was asked about, or may have posted it. Any thread.
     *
     * @param generation of the connection's slot
     * @param port that the connection has come from
     * @return false if the client has taken the announcement back, and may not have seen the challenge
     */
    boolean awaits(int generation, int port);

    /**
     * Whether a challenge was the last one of its slot. The caller holds the link's lock.
     *
     * @param slot of a connection
     * @param generation of the slot
     * @return whether this side has asked the client
     */
    boolean hasAsked(int slot, int generation);

    /**
     * Takes back what the client was asked about a connection.
     *
     * @param slot of the connection
     * @param generation of the slot
     * @return how many connections the client had posted then: a client that posts later does not move to rings
     */
    long revoke(int slot, int generation);

    /**
     * Whether connections that the client has posted were judged. Any thread; takes no lock.
     *
     * @param posted how many, as {@link #revoke} has returned it
     * @return true also if the link has ended, which it does if the client takes back what it has posted
     */
    boolean hasJudged(long posted);

    /**
     * Notifies the client that the connection stays on the kernel, after a {@link #revoke}.
     *
     * @param slot of the connection
     * @param generation of the slot
     */
    void leave(int slot, int generation);

    /** The client has claimed a connection whose other end it has. False claims before that are forgotten. */
    void claimedRightly();

    /**
     * The client has claimed a connection, and the byte has not come. After some of these, no more is asked for.
     *
     * @param isOther whether another byte has come, so that another program has the other end
     */
    void claimedFalsely(boolean isOther);
}
