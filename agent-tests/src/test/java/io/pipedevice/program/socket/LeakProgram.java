// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program.socket;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import sun.nio.ch.DefaultSelectorProvider;

/**
 * A program that forgets a socket whose close would linger for a minute, and then another one, and prints whether the
 * garbage collector closes the other one soon.
 */
public final class LeakProgram {
    private static final int LINGER_SECONDS = 60;
    private static final int TRIES = 1500;

    private LeakProgram() {}

    /**
     * Runs it.
     *
     * @param args none
     * @throws Exception if it cannot connect
     */
    public static void main(String[] args) throws Exception {
        try (ServerSocketChannel server = DefaultSelectorProvider.get().openServerSocketChannel()) {
            server.setOption(StandardSocketOptions.SO_RCVBUF, 4096);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            forget(server, 256 << 10);
            try (SocketChannel unread = server.accept()) {
                for (int i = 0; i < 20; i++) {
                    System.gc();
                    Thread.sleep(10);
                }
                forget(server, 1);
                try (SocketChannel other = server.accept()) {
                    System.out.println(isClosed(other) && unread.isOpen());
                }
            }
        }
    }

    private static void forget(ServerSocketChannel server, int bytes) throws IOException {
        Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.socket().getLocalPort());
        socket.setSoLinger(true, LINGER_SECONDS);
        socket.getOutputStream().write(new byte[bytes]);
    }

    /** Whether the other end is closed, or soon will be. */
    private static boolean isClosed(SocketChannel end) throws Exception {
        end.configureBlocking(false);
        for (int i = 0; i < TRIES; i++) {
            System.gc();
            if (end.read(ByteBuffer.allocate(2)) < 0) {
                return true;
            }
            Thread.sleep(10);
        }
        return false;
    }
}
