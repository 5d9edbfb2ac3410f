// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketImpl;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * A program without a reference to PipeDevice that connects a channel to a server socket of java.net, and prints which
 * way its data go.
 */
public final class WayProgram {
    private WayProgram() {}

    /**
     * Runs it.
     *
     * @param args "provider" to name another SelectorProvider before the first channel; "factory" to set the factories
     *     of java.net
     */
    public static void main(String[] args) throws IOException {
        for (String arg : args) {
            switch (arg) {
                case "provider" ->
                    System.setProperty("java.nio.channels.spi.SelectorProvider", "sun.nio.ch.EPollSelectorProvider");
                case "factory" -> setFactories();
                default -> throw new IllegalArgumentException(arg);
            }
        }
        try (ServerSocket server = new ServerSocket(0, 5, InetAddress.getLoopbackAddress());
                SocketChannel client = SocketChannel.open(server.getLocalSocketAddress());
                Socket accepted = server.accept()) {
            client.write(ByteBuffer.wrap(new byte[] {42}));
            System.out.println("received " + accepted.getInputStream().read() + ", " + way(client.toString()));
        }
    }

    private static String way(String channel) {
        return channel.endsWith("rings]") ? "on rings" : channel.contains("kernel (") ? "on kernel" : "by the JDK";
    }

    /** Factories whose sockets refuse to be created show that the program's own come first. */
    @SuppressWarnings("deprecation")
    private static void setFactories() throws IOException {
        Socket.setSocketImplFactory(WayProgram::refuse);
        System.out.println(Call.outcome(() -> new Socket(InetAddress.getLoopbackAddress(), 1)));
        ServerSocket.setSocketFactory(WayProgram::refuse);
        System.out.println(Call.outcome(() -> new ServerSocket(0)));
        System.exit(0);
    }

    private static SocketImpl refuse() {
        throw new IllegalStateException("the program's factory");
    }
}
