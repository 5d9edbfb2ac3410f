// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.guest;

import java.util.Locale;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Random;
import java.util.zip.CRC32C;

/** A server and a client of plain java.nio, without any reference to PipeDevice. */
public final class NioProgram {
    private static final int PORT = 9100;

    private NioProgram() {}

    /**
     * Runs one of them.
     *
     * @param args {@code server}, or {@code client} and how many bytes to send
     * @throws IOException if the connection fails
     */
    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws IOException {
        InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(), PORT);
        CRC32C checksum = new CRC32C();
        if (args[0].equals("server")) {
            try (ServerSocketChannel listener = ServerSocketChannel.open().bind(address)) {
                System.out.println("nio server: listens");
                try (SocketChannel channel = listener.accept()) {
                    long bytes = 0;
                    ByteBuffer buffer = ByteBuffer.allocate(8192);
                    while (channel.read(buffer.clear()) >= 0) {
                        bytes += buffer.flip().remaining();
                        checksum.update(buffer);
                    }
                    System.out.printf(Locale.ROOT, "nio server: %d bytes, CRC32C %08x%n", bytes, checksum.getValue());
                }
            }
        } else {
            byte[] bytes = new byte[Integer.parseInt(args[1])];
            new Random(1).nextBytes(bytes);
            checksum.update(bytes);
            try (SocketChannel channel = SocketChannel.open(address)) {
                ByteBuffer buffer = ByteBuffer.wrap(bytes);
                while (buffer.hasRemaining()) {
                    channel.write(buffer);
                }
            }
            System.out.printf(Locale.ROOT, "nio client: %d bytes, CRC32C %08x%n", bytes.length, checksum.getValue());
        }
    }
}
