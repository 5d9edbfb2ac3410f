// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.nio.ByteBuffer;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.api.Session;

/** A WebSocket that sends back each message, and requests no other before that is sent. */
public final class JettyEcho implements Session.Listener {
    /** Limit for Jetty's own API. */
    static final long MAX_MESSAGE = 4 << 20;

    private Session session;

    /** Created for each connection. */
    public JettyEcho() {}

    @Override
    public void onWebSocketOpen(Session opened) {
        session = opened;
        session.setMaxBinaryMessageSize(MAX_MESSAGE);
        session.demand();
    }

    @Override
    public void onWebSocketBinary(ByteBuffer payload, Callback callback) {
        session.sendBinary(
                payload,
                Callback.from(
                        () -> {
                            callback.succeed();
                            session.demand();
                        },
                        callback::fail));
    }
}
