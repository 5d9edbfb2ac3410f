// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.channels.spi.SelectorProvider;
import java.nio.charset.StandardCharsets;

/**
 * A program without any reference to PipeDevice: one end of a connection of java.net echoes the bytes of the other. It
 * prints the provider and the echo.
 */
public final class SocketEchoProgram {
    private SocketEchoProgram() {}

    public static void main(String[] args) throws IOException {
        System.out.println("provider " + SelectorProvider.provider().getClass().getName());
        try (ServerSocket listener = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(listener.getInetAddress(), listener.getLocalPort());
                Socket server = listener.accept()) {
            client.getOutputStream().write("hello".getBytes(StandardCharsets.US_ASCII));
            server.getOutputStream().write(server.getInputStream().readNBytes(5));
            byte[] answer = client.getInputStream().readNBytes(5);
            System.out.println("echo " + new String(answer, StandardCharsets.US_ASCII));
        }
    }
}
