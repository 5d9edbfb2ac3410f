// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Iterator;

/**
 * One thread, one selector, any number of connections. The first byte of a connection selects its function:
 * {@value #DIGEST} to count all data and answer with the count and a checksum, {@value #ECHO} to send all data back.
 *
 * <p>Prints {@code listening PORT}; ends with its standard input.
 */
public final class DigestServer {
    /** First byte: count what follows; at its end answer with the count and the CRC-32C, 8 bytes each. */
    static final byte DIGEST = 'D';

    /** First byte: send back what follows. */
    static final byte ECHO = 'E';

    private final Selector selector;

    private DigestServer(Selector selector) {
        this.selector = selector;
    }

    /**
     * Runs the server.
     *
     * @param args the port to listen at, none or 0 for any, and an address, none for the loopback
     * @throws IOException if it cannot listen
     */
    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws IOException {
        int port = args.length > 0 ? Integer.parseInt(args[0]) : 0;
        InetAddress host = args.length > 1 ? InetAddress.getByName(args[1]) : InetAddress.getLoopbackAddress();
        try (Selector selector = Selector.open();
                ServerSocketChannel listener = ServerSocketChannel.open()) {
            listener.bind(new InetSocketAddress(host, port));
            listener.configureBlocking(false);
            listener.register(selector, SelectionKey.OP_ACCEPT);
            endWithStandardInput();
            System.out.println("listening " + ((InetSocketAddress) listener.getLocalAddress()).getPort());
            new DigestServer(selector).run();
        }
    }

    private static void endWithStandardInput() {
        Thread thread = new Thread(
                () -> {
                    try {
                        while (System.in.read() >= 0) {
                            // The input has no commands.
                        }
                    } catch (IOException e) {
                        System.exit(1);
                    }
                    System.exit(0);
                },
                "end-of-input");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() throws IOException {
        while (true) {
            selector.select();
            Iterator<SelectionKey> ready = selector.selectedKeys().iterator();
            while (ready.hasNext()) {
                SelectionKey key = ready.next();
                ready.remove();
                if (key.isAcceptable()) {
                    accept((ServerSocketChannel) key.channel());
                } else {
                    serve(key);
                }
            }
        }
    }

    private void accept(ServerSocketChannel listener) throws IOException {
        SocketChannel channel = listener.accept();
        if (channel != null) {
            channel.configureBlocking(false);
            channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
            channel.register(selector, SelectionKey.OP_READ, new Conversation(channel));
        }
    }

    /** Serves a connection. Its failure does not affect the others. */
    @SuppressWarnings("SystemOut")
    private static void serve(SelectionKey key) {
        Conversation conversation = (Conversation) key.attachment();
        try {
            key.interestOps(conversation.go());
        } catch (IOException e) {
            System.err.println(e);
            conversation.close();
        }
        if (conversation.isOver()) {
            conversation.close();
        }
    }

    /** A buffer as large as one read may need. */
    static ByteBuffer newBuffer() {
        return ByteBuffer.allocateDirect(256 << 10);
    }
}
