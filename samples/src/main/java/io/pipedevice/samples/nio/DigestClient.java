// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.nio;

import java.io.EOFException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.CRC32C;

/**
 * Sends to a {@link DigestServer} for some time, and checks by count and checksum that every byte arrived. Then
 * exchanges small messages, and checks each. Prints one line per measurement, in figures only:
 *
 * <pre>
 * stream MESSAGE-BYTES TOTAL-BYTES NANOSECONDS
 * roundtrip MESSAGE-BYTES COUNT MEDIAN-NANOSECONDS
 * </pre>
 *
 * <p>It fails, with exit code 1, if anything is lost or changed.
 */
public final class DigestClient {
    private static final int SMALL = 64;
    private static final int LARGE = 64 << 10;
    private static final int WARM_UP_SHARE = 4;

    private final InetSocketAddress server;

    private DigestClient(InetSocketAddress server) {
        this.server = server;
    }

    /**
     * Runs the client.
     *
     * @param args the server's port, the length of a measurement in milliseconds, and the server's address, none for
     *     the loopback
     * @throws IOException if the connection fails, or an answer is wrong
     */
    public static void main(String[] args) throws IOException {
        InetAddress host = args.length > 2 ? InetAddress.getByName(args[2]) : InetAddress.getLoopbackAddress();
        DigestClient client = new DigestClient(new InetSocketAddress(host, Integer.parseInt(args[0])));
        long nanos = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(args[1]));
        for (int size : new int[] {SMALL, LARGE}) {
            client.stream(size, nanos / WARM_UP_SHARE);
            print("stream", size, client.stream(size, nanos));
        }
        client.roundTrips(nanos / WARM_UP_SHARE);
        print("roundtrip", SMALL, client.roundTrips(nanos));
    }

    @SuppressWarnings("SystemOut")
    private static void print(String what, int size, long[] figures) {
        System.out.println(what + ' ' + size + ' ' + figures[0] + ' ' + figures[1]);
    }

    /** Sends messages of one size for some time; returns the bytes, and the time until the server had them all. */
    private long[] stream(int size, long nanos) throws IOException {
        ByteBuffer messages = ByteBuffer.allocateDirect(1 << 20);
        byte[] random = new byte[messages.capacity()];
        new Random(size).nextBytes(random);
        messages.put(random);
        CRC32C checksum = new CRC32C();
        long count = 0;
        try (SocketChannel channel = open(DigestServer.DIGEST)) {
            long start = System.nanoTime();
            while (System.nanoTime() - start < nanos) {
                for (int at = 0; at < messages.capacity(); at += size) {
                    messages.limit(at + size).position(at);
                    checksum.update(messages);
                    messages.position(at);
                    writeAll(channel, messages);
                }
                count += messages.capacity();
            }
            channel.shutdownOutput();
            ByteBuffer answer = ByteBuffer.allocate(2 * Long.BYTES);
            readAll(channel, answer);
            long elapsed = System.nanoTime() - start;
            answer.flip();
            check(answer.getLong() == count, "not every byte arrived");
            check(answer.getLong() == checksum.getValue(), "the checksum is another");
            return new long[] {count, elapsed};
        }
    }

    /** Makes round trips of one message at a time, for some time; returns how many, and their median time. */
    private long[] roundTrips(long nanos) throws IOException {
        long[] times = new long[1 << 20];
        int count = 0;
        ByteBuffer message = ByteBuffer.allocateDirect(SMALL);
        ByteBuffer answer = ByteBuffer.allocateDirect(SMALL);
        try (SocketChannel channel = open(DigestServer.ECHO)) {
            long start = System.nanoTime();
            long before = start;
            while (before - start < nanos && count < times.length) {
                message.clear();
                while (message.hasRemaining()) {
                    message.putLong(before + message.position());
                }
                writeAll(channel, message.flip());
                readAll(channel, answer.clear());
                check(answer.flip().equals(message.flip()), "another message came back");
                long now = System.nanoTime();
                times[count++] = now - before;
                before = now;
            }
        }
        Arrays.sort(times, 0, count);
        return new long[] {count, times[count / 2]};
    }

    private SocketChannel open(byte purpose) throws IOException {
        SocketChannel channel = SocketChannel.open(server);
        channel.setOption(StandardSocketOptions.TCP_NODELAY, true);
        writeAll(channel, ByteBuffer.wrap(new byte[] {purpose}));
        return channel;
    }

    private static void writeAll(SocketChannel channel, ByteBuffer from) throws IOException {
        while (from.hasRemaining()) {
            channel.write(from);
        }
    }

    private static void readAll(SocketChannel channel, ByteBuffer into) throws IOException {
        while (into.hasRemaining()) {
            if (channel.read(into) < 0) {
                throw new EOFException("the server ended the connection");
            }
        }
    }

    private static void check(boolean holds, String otherwise) throws IOException {
        if (!holds) {
            throw new IOException(otherwise);
        }
    }
}
