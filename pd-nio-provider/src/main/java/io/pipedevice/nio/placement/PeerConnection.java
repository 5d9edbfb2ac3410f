// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.placement;

import io.pipedevice.lib.PdStream;
import io.pipedevice.nio.stat.RingPath;
import io.pipedevice.peer.stream.PeerSocket;

/** A connection whose two processes read each other's memory. */
final class PeerConnection implements RingConnection {
    private final PeerSocket socket;
    private volatile boolean drops;

    PeerConnection(PeerSocket socket) {
        this.socket = socket;
    }

    @Override
    public PdStream stream() {
        return socket;
    }

    @Override
    public RingPath path() {
        return RingPath.DIRECT;
    }

    @Override
    public void linger(int seconds) {
        drops = seconds == 0;
    }

    @Override
    public void sendSize(int bytes) {
        socket.sendSize(bytes);
    }

    @Override
    public void close() {
        if (drops) {
            socket.abort();
        } else {
            socket.close();
        }
    }
}
