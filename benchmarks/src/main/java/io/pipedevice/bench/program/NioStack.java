// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.IOException;
import java.nio.channels.SocketChannel;

/** Channels of java.nio, blocking or with a selector. */
final class NioStack implements Stack {
    private final Sockets sockets;

    NioStack(Sockets sockets) {
        this.sockets = sockets;
    }

    @Override
    public Job.Server server(Kind kind, int size) throws IOException {
        return kind == Kind.SELECTOR || kind == Kind.ROTATING
                ? new SelectorEcho(sockets, size)
                : new BlockingServer(sockets, kind, size);
    }

    @Override
    public Job client(Kind kind, int size, String address, int connections, int busy) throws IOException {
        return switch (kind) {
            case STREAM -> new StreamSender(connect(address), size);
            case GATHERED_STREAM -> new StreamSender(sockets.connect(address), size);
            case PING_PONG -> new PingPong(connect(address), size);
            case SELECTOR -> new SelectorClient(sockets, address, size, connections, busy, false);
            case ROTATING -> new SelectorClient(sockets, address, size, connections, busy, true);
            case CONNECT -> new ConnectClient(sockets, address);
        };
    }

    private SocketChannel connect(String address) throws IOException {
        SocketChannel channel = sockets.connect(address);
        sockets.noDelay(channel);
        return channel;
    }
}
