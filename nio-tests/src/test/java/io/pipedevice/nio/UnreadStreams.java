// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;

/** Two programs: one writes on many connections, and the other does not read before a line asks it to. */
final class UnreadStreams {
    /** The bytes of each connection. */
    static final int LENGTH = 2 << 20;

    /** The connections that fill a budget, and the bytes of one more. */
    static final int OTHERS = 16;

    static final int LAST = 60 << 10;

    private static final int PERIOD = 65_521;
    private static final int PIECE = 4 << 10;
    private static final int BUFFER = 64 << 10;
    private static final byte[] BYTES = new byte[PERIOD + BUFFER];
    private static final SelectorProvider RINGS = new PipeDeviceSelectorProvider();

    static {
        new Random(1).nextBytes(BYTES);
        for (int i = PERIOD; i < BYTES.length; i++) {
            BYTES[i] = BYTES[i - PERIOD];
        }
    }

    private UnreadStreams() {}

    private static SelectorProvider provider(String name) {
        return name.equals("rings") ? RINGS : SelectorProvider.provider();
    }

    /** Where the bytes of a connection from a position on lie in {@link #BYTES}; the first four are its number. */
    private static int offset(int connection, int position) {
        return (connection * 1009 + position) % PERIOD;
    }

    private static void fill(ByteBuffer piece, int connection, int from) {
        piece.clear();
        piece.put(BYTES, offset(connection, from), Math.min(piece.capacity(), LENGTH - from));
        for (int position = from; position < Integer.BYTES; position++) {
            piece.put(position - from, (byte) (connection >> (8 * position)));
        }
        piece.flip();
    }

    private static List<SocketChannel> connect(String provider, int port, int count) throws IOException {
        List<SocketChannel> channels = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            SocketChannel channel = provider(provider).openSocketChannel();
            channel.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            channels.add(channel);
        }
        return channels;
    }

    /** Arguments: the provider, the port, the number of connections, and whether they are blocking. */
    static final class Writer {
        private Writer() {}

        public static void main(String[] arguments) throws Exception {
            int port = Integer.parseInt(arguments[1]);
            List<SocketChannel> channels = connect(arguments[0], port, Integer.parseInt(arguments[2]));
            List<String> others = channels.stream()
                    .map(SocketChannel::toString)
                    .filter(text -> !text.endsWith(" rings]"))
                    .toList();
            System.out.println(
                    "KERNEL " + others.size() + " " + others.stream().limit(1).toList());
            if (Boolean.parseBoolean(arguments[3])) {
                writeByThreads(channels);
            } else {
                writeBySelector(channels, provider(arguments[0]));
            }
            for (SocketChannel channel : channels) {
                channel.close();
            }
            System.out.println("DONE");
            System.in.read();
        }

        private static void writeByThreads(List<SocketChannel> channels) throws Exception {
            AtomicLongArray written = new AtomicLongArray(channels.size());
            List<Thread> threads = new ArrayList<>();
            for (int i = 0; i < channels.size(); i++) {
                int connection = i;
                threads.add(Thread.ofPlatform().start(() -> write(channels.get(connection), connection, written)));
            }
            long before = -1;
            for (int same = 0; same < 10; ) {
                TimeUnit.MILLISECONDS.sleep(100);
                long sum = 0;
                for (int i = 0; i < written.length(); i++) {
                    sum += written.get(i);
                }
                same = sum == before ? same + 1 : 0;
                before = sum;
            }
            System.out.println("FULL " + before);
            for (Thread thread : threads) {
                thread.join();
            }
        }

        private static void write(SocketChannel channel, int connection, AtomicLongArray written) {
            ByteBuffer piece = ByteBuffer.allocate(PIECE);
            try {
                for (int position = 0; position < LENGTH; position += PIECE) {
                    fill(piece, connection, position);
                    while (piece.hasRemaining()) {
                        channel.write(piece);
                    }
                    written.set(connection, position + PIECE);
                }
            } catch (IOException e) {
                System.out.println("FAILED " + e);
            }
        }

        private static void writeBySelector(List<SocketChannel> channels, SelectorProvider provider)
                throws IOException {
            int[] written = new int[channels.size()];
            ByteBuffer piece = ByteBuffer.allocate(PIECE);
            try (Selector selector = provider.openSelector()) {
                long sum = 0;
                for (int i = 0; i < written.length; i++) {
                    channels.get(i).configureBlocking(false);
                    channels.get(i).register(selector, SelectionKey.OP_WRITE, i);
                }
                // In turns, so that all of them grow at the same time.
                for (long before = -1; sum != before; ) {
                    before = sum;
                    for (int i = 0; i < written.length; i++) {
                        sum += write(channels.get(i), i, written, piece);
                    }
                }
                System.out.println("FULL " + sum);
                for (int left = written.length; left > 0; ) {
                    selector.select();
                    for (SelectionKey key : selector.selectedKeys()) {
                        int i = (int) key.attachment();
                        write(channels.get(i), i, written, piece);
                        if (written[i] == LENGTH) {
                            key.cancel();
                            left--;
                        }
                    }
                    selector.selectedKeys().clear();
                }
            }
        }

        private static int write(SocketChannel channel, int connection, int[] written, ByteBuffer piece)
                throws IOException {
            fill(piece, connection, written[connection]);
            int count = channel.write(piece);
            written[connection] += count;
            return count;
        }
    }

    /** Fills its budget with other connections, and writes on a last one. The argument is the port. */
    static final class LastWriter {
        private LastWriter() {}

        public static void main(String[] arguments) throws Exception {
            int port = Integer.parseInt(arguments[0]);
            List<SocketChannel> others = connect("rings", port, OTHERS);
            for (int open = OTHERS; open > 0; ) {
                open = 0;
                for (SocketChannel other : others) {
                    other.configureBlocking(false);
                    open += other.write(ByteBuffer.allocate(PIECE)) > 0 ? 1 : 0;
                }
            }
            SocketChannel last = connect("rings", port, 1).getFirst();
            last.configureBlocking(false);
            int written = 0;
            for (int count = 1; count > 0; written += count) {
                count = last.write(ByteBuffer.allocate(PIECE));
            }
            System.out.println("WAITS after " + written);
            Thread.ofPlatform().daemon().start(() -> close(others));
            last.configureBlocking(true);
            for (ByteBuffer rest = ByteBuffer.allocate(LAST - written); rest.hasRemaining(); ) {
                last.write(rest);
            }
            System.out.println("WROTE");
            System.in.read();
        }

        private static void close(List<SocketChannel> others) {
            try {
                System.in.read();
                for (SocketChannel other : others) {
                    other.close();
                }
            } catch (IOException e) {
                System.out.println("FAILED " + e);
            }
        }
    }

    /** Arguments: the provider and the number of connections. */
    static final class Reader {
        private Reader() {}

        public static void main(String[] arguments) throws IOException {
            int count = Integer.parseInt(arguments[1]);
            List<SocketChannel> channels = new ArrayList<>();
            try (ServerSocketChannel server = provider(arguments[0]).openServerSocketChannel();
                    Selector selector = provider(arguments[0]).openSelector()) {
                server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), count);
                System.out.println("PORT " + server.socket().getLocalPort());
                while (channels.size() < count) {
                    channels.add(server.accept());
                }
                System.out.println("ACCEPTED");
                System.in.read();
                long sum = 0;
                for (SocketChannel channel : channels) {
                    channel.configureBlocking(false);
                    channel.register(selector, SelectionKey.OP_READ, new int[] {0, 0});
                }
                ByteBuffer buffer = ByteBuffer.allocate(BUFFER);
                for (int open = count; open > 0; ) {
                    selector.select();
                    for (SelectionKey key : selector.selectedKeys()) {
                        sum += read(key, buffer);
                        open -= key.channel().isOpen() ? 0 : 1;
                    }
                    selector.selectedKeys().clear();
                }
                System.out.println("READ " + sum);
                System.in.read();
            }
        }

        /** The attachment is the number of the connection and the position. */
        private static int read(SelectionKey key, ByteBuffer buffer) throws IOException {
            SocketChannel channel = (SocketChannel) key.channel();
            int[] stream = (int[]) key.attachment();
            buffer.clear();
            int count = channel.read(buffer);
            if (count < 0) {
                channel.close();
                if (stream[1] != LENGTH) {
                    throw new IOException("connection " + stream[0] + " ends after " + stream[1] + " bytes");
                }
                return 0;
            }
            int i = 0;
            for (; i < count && stream[1] < Integer.BYTES; i++, stream[1]++) {
                stream[0] |= (buffer.get(i) & 0xff) << (8 * stream[1]);
            }
            int from = offset(stream[0], stream[1]);
            if (buffer.slice(i, count - i).mismatch(ByteBuffer.wrap(BYTES, from, count - i)) >= 0) {
                throw new IOException("wrong bytes of connection " + stream[0] + " from " + stream[1] + " on");
            }
            stream[1] += count - i;
            return count;
        }
    }
}
