// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import java.io.IOException;

/** Channels of java.nio, blocking or with a selector. */
final class NioStack implements Stack {
    private static final int CONNECTING_THREADS = 8;

    private final Sockets sockets;

    NioStack(Sockets sockets) {
        this.sockets = sockets;
    }

    @Override
    public Job.Server server(Kind kind, int size) throws IOException {
        return switch (kind) {
            case SELECTOR, ROTATING -> new SelectorEcho(sockets, size);
            case CONNECT -> new ConnectServer<>(sockets, 1);
            case CONNECT_THREADS -> new ConnectServer<>(sockets, CONNECTING_THREADS);
            case PAIRS -> new PairsServer(sockets, size);
            default -> new BlockingServer<>(sockets, kind, size);
        };
    }

    @Override
    public Job client(Kind kind, int size, String address, int connections, int busy) throws IOException {
        return switch (kind) {
            case STREAM, GATHERED_STREAM, PACED_STREAM -> StreamSender.connect(sockets, address, size, kind);
            case PING_PONG, VIRTUAL_PING_PONG -> PingPong.connect(sockets, address, size);
            case SELECTOR -> new SelectorClient(sockets, address, size, connections, busy, false);
            case ROTATING -> new SelectorClient(sockets, address, size, connections, busy, true);
            case CONNECT -> new ConnectClient<>(sockets, address, 1);
            case CONNECT_THREADS -> new ConnectClient<>(sockets, address, CONNECTING_THREADS);
            case PAIRS -> new PairsClient(sockets, address, size, connections, busy);
            case BUFFERED_STREAM -> throw new IllegalArgumentException("channels are not buffered");
            case SAMPLE -> throw new IllegalArgumentException("samples and Spark have clients of their own");
        };
    }
}
