// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

/** What the two ends of a connection are. One is a socket of java.net, which is tested. */
enum SocketEnds {
    /** The tested socket has connected to another one. */
    CLIENT(true, true),
    /** The tested socket was accepted from another one. */
    ACCEPTED(false, true),
    /** The tested socket has connected to a channel. */
    CLIENT_OF_CHANNEL(true, false),
    /** The tested socket was accepted from a channel. */
    ACCEPTED_FROM_CHANNEL(false, false);

    private final boolean testsClient;
    private final boolean peerIsSocket;

    SocketEnds(boolean testsClient, boolean peerIsSocket) {
        this.testsClient = testsClient;
        this.peerIsSocket = peerIsSocket;
    }

    /** Whether the tested socket is the end that connects. */
    boolean testsClient() {
        return testsClient;
    }

    /** Whether the end that connects is a socket of java.net, not a channel. */
    boolean clientIsSocket() {
        return testsClient || peerIsSocket;
    }

    /** Whether the end that listens is a socket of java.net, not a channel. */
    boolean serverIsSocket() {
        return !testsClient || peerIsSocket;
    }
}
