// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.async;

import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.nio.channels.CompletionHandler;
import java.nio.channels.SocketChannel;

/** A connect. A channel whose connect fails is closed. */
final class ConnectOperation<A> extends Operation<Void, A> {
    /** What some JDKs add to the message of a connect that a thread waited for. */
    private static final String OF_A_WAIT = " (connect failed)";

    private final SlotOwner owner;
    private final SocketChannel channel;
    private final SocketAddress remote;

    /** Whether the first attempt was made. */
    private boolean begun;

    ConnectOperation(
            SlotOwner owner,
            SocketChannel channel,
            SocketAddress remote,
            CompletionHandler<Void, ? super A> handler,
            A attachment) {
        super(handler, attachment);
        this.owner = owner;
        this.channel = channel;
        this.remote = remote;
    }

    @Override
    boolean attempt() throws IOException {
        try {
            return (begun ? channel.finishConnect() : connect()) && succeed(null);
        } catch (ConnectException e) {
            throw plain(e);
        }
    }

    /** As with the JDK, the message does not say that a thread waited for the connect. */
    private static ConnectException plain(ConnectException e) {
        String message = e.getMessage();
        if (message == null || !message.endsWith(OF_A_WAIT)) {
            return e;
        }
        String reason = message.substring(0, message.length() - OF_A_WAIT.length());
        return (ConnectException) new ConnectException(reason).initCause(e.getCause());
    }

    @Override
    void ends(boolean failed) {
        if (failed) {
            owner.closeQuietly();
        }
    }

    private boolean connect() throws IOException {
        boolean connected = channel.connect(remote);
        begun = true;
        return connected;
    }
}
