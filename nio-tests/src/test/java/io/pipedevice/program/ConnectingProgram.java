// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;

/**
 * A program of java.nio, without any reference to PipeDevice, that connects to the port of its first argument as often
 * as the second one says, and keeps the connections open until its input ends.
 */
public final class ConnectingProgram {
    private ConnectingProgram() {}

    public static void main(String[] args) throws IOException {
        InetSocketAddress to = new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[0]));
        List<SocketChannel> connections = new ArrayList<>();
        while (connections.size() < Integer.parseInt(args[1])) {
            connections.add(SocketChannel.open(to));
        }
        System.out.println("ready");
        System.in.transferTo(System.out);
        System.out.println("ends " + connections.size());
    }
}
