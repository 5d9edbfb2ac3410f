// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program;

import io.pipedevice.jdk.Literals;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;

/**
 * A proxy, as Docker's of a published port: each connection to its port gets one to a server, and all bytes go on in
 * both directions. The arguments are the address and port at which it listens, those of the server, and an address of
 * this host. From there it connects, by the client's own port if that is free, so that the two connections differ in
 * the addresses alone.
 */
public final class RelayProgram {
    private static final int LENGTH = 1 << 16;

    private RelayProgram() {}

    public static void main(String[] arguments) throws IOException {
        InetSocketAddress server =
                new InetSocketAddress(Literals.address(arguments[2]), Integer.parseInt(arguments[3]));
        ServerSocketChannel listener = ServerSocketChannel.open()
                .bind(new InetSocketAddress(Literals.address(arguments[0]), Integer.parseInt(arguments[1])));
        InetAddress from = Literals.address(arguments[4]);
        System.out.println("STARTED");
        while (true) {
            SocketChannel one = listener.accept();
            SocketChannel other = connect(from, ((InetSocketAddress) one.getRemoteAddress()).getPort(), server);
            Thread.ofPlatform().start(() -> pump(one, other));
            Thread.ofPlatform().start(() -> pump(other, one));
        }
    }

    private static SocketChannel connect(InetAddress from, int port, InetSocketAddress to) throws IOException {
        SocketChannel channel = SocketChannel.open();
        try {
            channel.bind(new InetSocketAddress(from, port));
        } catch (BindException e) {
            channel.bind(new InetSocketAddress(from, 0));
        }
        boolean isSame = ((InetSocketAddress) channel.getLocalAddress()).getPort() == port;
        channel.connect(to);
        System.out.println("RELAYS " + (isSame ? "from the same port" : "from another port"));
        return channel;
    }

    private static void pump(SocketChannel from, SocketChannel to) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(LENGTH);
        try {
            while (from.read(bytes.clear()) >= 0) {
                bytes.flip();
                while (bytes.hasRemaining()) {
                    to.write(bytes);
                }
            }
            to.shutdownOutput();
        } catch (IOException e) {
            System.out.println("ENDS " + e);
        }
    }
}
