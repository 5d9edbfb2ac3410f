// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program.socket;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import sun.nio.ch.DefaultSelectorProvider;

/**
 * A connection of which one end is tested.
 *
 * @param tested a socket of java.net
 * @param in its input
 * @param out its output
 * @param peer the other end
 */
record Ends(Socket tested, InputStream in, OutputStream out, Socket peer) implements AutoCloseable {
    /** What the ends are. */
    enum Kind {
        /** A socket that has connected to another one. */
        CLIENT,
        /** A socket that was accepted from another one. */
        ACCEPTED,
        /** A socket that has connected to a channel. */
        CLIENT_OF_CHANNEL,
        /** A socket that was accepted from a channel. */
        ACCEPTED_FROM_CHANNEL,
        /** A socket that has connected to a channel of the JDK, which is on the kernel. */
        CLIENT_ON_KERNEL,
        /** A socket that was accepted from a channel of the JDK, which is on the kernel. */
        ACCEPTED_ON_KERNEL
    }

    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    private static Ends of(Socket tested, Socket peer) throws IOException {
        return new Ends(tested, tested.getInputStream(), tested.getOutputStream(), peer);
    }

    static Ends open(Kind kind) throws IOException {
        return switch (kind) {
            case CLIENT, ACCEPTED -> ofSockets(kind == Kind.CLIENT);
            case CLIENT_OF_CHANNEL -> toChannel(ServerSocketChannel.open());
            case CLIENT_ON_KERNEL -> toChannel(DefaultSelectorProvider.get().openServerSocketChannel());
            case ACCEPTED_FROM_CHANNEL -> fromChannel(SocketChannel.open());
            case ACCEPTED_ON_KERNEL -> fromChannel(DefaultSelectorProvider.get().openSocketChannel());
        };
    }

    private static Ends ofSockets(boolean testsClient) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 5, LOOPBACK)) {
            Socket client = new Socket(LOOPBACK, server.getLocalPort());
            Socket accepted = server.accept();
            return testsClient ? of(client, accepted) : of(accepted, client);
        }
    }

    private static Ends toChannel(ServerSocketChannel server) throws IOException {
        try (server) {
            server.bind(new InetSocketAddress(LOOPBACK, 0));
            Socket client = new Socket(LOOPBACK, server.socket().getLocalPort());
            return of(client, server.accept().socket());
        }
    }

    private static Ends fromChannel(SocketChannel client) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 5, LOOPBACK)) {
            client.connect(server.getLocalSocketAddress());
            return of(server.accept(), client.socket());
        }
    }

    @Override
    public void close() throws IOException {
        tested.close();
        peer.close();
    }
}
