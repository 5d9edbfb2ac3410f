// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.link;

import io.pipedevice.linux.Fd;
import io.pipedevice.peer.protocol.ChallengeWord;
import io.pipedevice.peer.stream.PeerSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.function.BooleanSupplier;

/** The link of this process with a listener, as a client uses it to connect. It ends by itself. Thread safe. */
public sealed interface PeerLink extends MeteredLink permits ClientLink {
    /**
     * Whether both sides are in this process.
     *
     * @return false if the peer is another process, or one of another PID namespace
     */
    boolean isWithinProcess();

    /**
     * Connects. The connection can be written to at once, before the server accepts it.
     *
     * @param from this end's address
     * @param to the listener's address, which is of the same family
     * @return the connection, for the caller to close
     * @throws PeerRefusal if it has to be left to the kernel
     */
    PeerSocket connect(InetSocketAddress from, InetSocketAddress to) throws PeerRefusal;

    /**
     * Connects as {@link #connect(InetSocketAddress, InetSocketAddress)}, and proves to the server that this process
     * holds the address.
     *
     * @param from this end's address
     * @param port the socket that holds it, which the caller still owns
     * @param to the listener's address, which is of the same family
     * @return the connection, for the caller to close
     * @throws PeerRefusal if it has to be left to the kernel
     */
    PeerSocket connect(InetSocketAddress from, Fd port, InetSocketAddress to) throws PeerRefusal;

    /**
     * Connects from the address of an earlier connection that both ends have closed, and whose port the server keeps.
     *
     * @param source the IP address to connect from
     * @param to the listener's address, which is of the same family
     * @return the connection, for the caller to close; null if there is no such address
     * @throws PeerRefusal if it has to be left to the kernel
     */
    PeerSocket connectAgain(InetAddress source, InetSocketAddress to) throws PeerRefusal;

    /**
     * Waits for room in the listener's backlog, which a connect has found full. Another thread may take the room before
     * the caller does.
     *
     * @param nanos the longest wait
     * @param goesOn asked again and again: whether the thread still wants to wait
     * @return false if there is none in time, if the listener has accepted nothing since another thread waited about as
     *     long, if the link has ended, or if the thread is interrupted
     */
    boolean awaitRoom(long nanos, BooleanSupplier goesOn);

    /** The answer of a server to a posted connection. */
    enum Answer {
        /** Nothing yet. */
        NONE,
        /** It has accepted the connection. */
        TAKEN,
        /** It has refused the connection, or is gone. */
        REFUSED
    }

    /**
     * Announces a connection that the kernel is about to make, and that may then change to rings. The caller posts it
     * or {@link #revoke revokes} it.
     *
     * @param port that the connection will come from
     * @return null if that is not possible now
     */
    Announcement announce(int port);

    /**
     * Takes an announcement back, unless the server has asked for the byte.
     *
     * @param announced a connection that was not posted
     * @return false if the server has asked, so that it waits for the connection
     */
    boolean revoke(Announcement announced);

    /**
     * Gives up a connection that was announced, although the server may have asked for the byte: the server's own
     * patience ends.
     *
     * @param announced a connection that was not posted
     */
    void forget(Announcement announced);

    /**
     * The byte that the server asks for, after it has accepted a connection from the announced port.
     *
     * @param announced a connection
     * @return 0 to 255; {@link io.pipedevice.peer.protocol.ChallengeWord#NONE} if it has not asked
     */
    int challenge(Announcement announced);

    /**
     * The byte that the server has sent on the connection about which it asks.
     *
     * @param announced a connection
     * @return 0 to 255; {@link ChallengeWord#NONE} if it does not ask
     */
    int shown(Announcement announced);

    /**
     * Whether the server has taken back what it has asked about a connection.
     *
     * @param announced a connection
     * @return false if a connection that was posted before this call moves to rings, unless the server refuses
     */
    boolean isRevoked(Announcement announced);

    /**
     * Whether the server has left a connection to the kernel.
     *
     * @param announced a connection
     * @return whether the server's program has the kernel's connection
     */
    boolean isLeft(Announcement announced);

    /**
     * Posts a connection that was announced, after the server's byte was sent. It stays to be seen whether the server
     * takes it, {@link #answer}. The announcement is over, also if this fails.
     *
     * @param announced the connection
     * @param from this end's address
     * @param to the listener's address, which is of the same family
     * @return the connection, for the caller to close
     * @throws PeerRefusal if it has to be left to the kernel
     */
    PeerSocket connect(Announcement announced, InetSocketAddress from, InetSocketAddress to) throws PeerRefusal;

    /**
     * The answer of the server to a connection that was announced and posted.
     *
     * @param announced the connection
     * @return REFUSED also if the link has ended
     */
    Answer answer(Announcement announced);

    /**
     * Whether the link exists, as far as is known. Takes no lock.
     *
     * @return false if another link is needed
     */
    boolean isUsable();

    /**
     * Whether connections can be made. Asks the kernel too: a server that was killed has not cleared LISTENING, and the
     * watching thread may not have run since, if this process was stopped.
     *
     * @return false if another link is needed
     */
    boolean isListening();
}
