// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.IOException;

/** Sockets of java.net, by their streams. */
final class SocketStack implements Stack {
    private final String host;

    SocketStack(String host) {
        this.host = host;
    }

    @Override
    public Job.Server server(Kind kind, int size) throws IOException {
        return kind == Kind.CONNECT
                ? new ConnectServer<>(sockets(kind), 1)
                : new BlockingServer<>(sockets(kind), kind, size);
    }

    @Override
    public Job client(Kind kind, int size, String address, int connections, int busy) throws IOException {
        StreamSockets sockets = sockets(kind);
        return switch (kind) {
            case STREAM, BUFFERED_STREAM -> StreamSender.connect(sockets, address, size, kind);
            case PING_PONG, VIRTUAL_PING_PONG -> PingPong.connect(sockets, address, size);
            case CONNECT -> new ConnectClient<>(sockets, address, 1);
            default -> throw new IllegalArgumentException(kind + " is not for sockets of java.net");
        };
    }

    private StreamSockets sockets(Kind kind) {
        return new StreamSockets(host, kind == Kind.BUFFERED_STREAM);
    }
}
