// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.broker;

import io.pipedevice.protocol.ControlMessage;
import java.net.InetSocketAddress;

/**
 * The content of a {@link ControlMessage} to the driver; the meaning of each part depends on the type.
 *
 * @param type of the message
 * @param id of the request
 * @param listener the socket id
 * @param value any
 * @param argument any
 * @param local null for none
 * @param peer null for none
 */
record Request(
        int type, int id, int listener, int value, long argument, InetSocketAddress local, InetSocketAddress peer) {
    Request(int type, int id) {
        this(type, id, 0, 0);
    }

    Request(int type, int id, int listener, int value) {
        this(type, id, listener, value, 0, null);
    }

    Request(int type, int id, int listener, int value, long argument, InetSocketAddress local) {
        this(type, id, listener, value, argument, local, null);
    }

    void write(ControlMessage message) {
        message.request(type, id)
                .socketId(listener)
                .value(value)
                .argument(argument)
                .localAddress(local)
                .peerAddress(peer);
    }
}
