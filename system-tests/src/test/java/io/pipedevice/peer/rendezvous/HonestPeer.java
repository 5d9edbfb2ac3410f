// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer.rendezvous;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.peer.stream.PeerSocket;
import io.pipedevice.test.ChildJvm;
import io.pipedevice.test.TestAddresses;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/**
 * A process with two connections to a listener, which sends everything back. Each byte depends on its position. It
 * prints CONNECTED, and after a line of input the number of bytes that it VERIFIED, or FAILED.
 */
final class HonestPeer {
    static final int CONNECTIONS = 2;
    private static final int PATIENCE_MS = 10_000;
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int MAX_PIECE = 20_000;

    /** A prime, so that bytes in the wrong place of a ring are detected. */
    private static final int PERIOD = 65_521;

    private static volatile boolean stop;

    private HonestPeer() {}

    static ChildJvm start(int port) throws IOException {
        return ChildJvm.start(HonestPeer.class, Integer.toString(port));
    }

    public static void main(String[] arguments) throws Exception {
        var to = TestAddresses.loopback(Integer.parseInt(arguments[0]));
        PeerNetwork network = new PeerNetwork(PATIENCE_MS);
        Thread[] threads = new Thread[2 * CONNECTIONS];
        long[] verified = new long[CONNECTIONS];
        for (int i = 0; i < CONNECTIONS; i++) {
            int index = i;
            PeerSocket socket = network.meet(to).connect(TestAddresses.loopback(1 + i), to);
            threads[2 * i] = Thread.ofPlatform().start(() -> run(() -> send(socket, index, () -> !stop)));
            threads[2 * i + 1] = Thread.ofPlatform().start(() -> run(() -> verified[index] = verify(socket, index)));
        }
        System.out.println("CONNECTED");
        if (System.in.read() < 0) {
            System.exit(3);
        }
        stop = true;
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("VERIFIED " + verified[0] + " " + verified[1]);
        System.exit(0);
    }

    private interface Work {
        void run() throws PdException;
    }

    private static void run(Work work) {
        try {
            work.run();
        } catch (PdException | RuntimeException | AssertionError e) {
            System.out.println("FAILED " + e);
            System.exit(1);
        }
    }

    private static byte[] pattern(int seed) {
        byte[] bytes = new byte[PERIOD + MAX_PIECE];
        new Random(seed).nextBytes(bytes);
        System.arraycopy(bytes, 0, bytes, PERIOD, MAX_PIECE);
        return bytes;
    }

    private static void send(PeerSocket socket, int seed, BooleanSupplier more) throws PdException {
        byte[] pattern = pattern(seed);
        Random random = new Random(seed);
        long position = 0;
        while (more.getAsBoolean()) {
            int length = 1 + random.nextInt(random.nextInt(4) == 0 ? MAX_PIECE : 500);
            ByteBuffer piece = ByteBuffer.wrap(pattern, (int) (position % PERIOD), length);
            writeAll(socket, piece);
            position += length;
        }
        socket.shutdownOutput();
    }

    private static void writeAll(PeerSocket socket, ByteBuffer bytes) throws PdException {
        while (bytes.hasRemaining()) {
            if (socket.write(bytes) == 0 && !socket.awaitWritable(PATIENCE_NS)) {
                throw new AssertionError("no room for long");
            }
        }
    }

    private static long verify(PeerSocket socket, int seed) throws PdException {
        byte[] pattern = pattern(seed);
        ByteBuffer bytes = ByteBuffer.allocate(MAX_PIECE);
        long position = 0;
        while (true) {
            int length = read(socket, bytes.clear());
            if (length == PdSocket.END_OF_STREAM) {
                return position;
            }
            int at = (int) (position % PERIOD);
            int wrong = ByteBuffer.wrap(pattern, at, length).mismatch(bytes.flip());
            if (wrong >= 0) {
                throw new AssertionError("byte " + (position + wrong) + " is wrong");
            }
            position += length;
        }
    }

    private static int read(PeerSocket socket, ByteBuffer bytes) throws PdException {
        int length = socket.read(bytes);
        while (length == 0) {
            if (!socket.awaitReadable(PATIENCE_NS)) {
                throw new AssertionError("nothing for long");
            }
            length = socket.read(bytes);
        }
        return length;
    }

    /** The other end: sends everything back, and returns the number of bytes. */
    static long echo(PeerSocket socket) throws PdException {
        try (socket) {
            ByteBuffer bytes = ByteBuffer.allocate(MAX_PIECE);
            long sum = 0;
            while (read(socket, bytes.clear()) != PdSocket.END_OF_STREAM) {
                sum += bytes.position();
                writeAll(socket, bytes.flip());
            }
            socket.shutdownOutput();
            // Wait until the other end has read everything.
            while (read(socket, bytes.clear()) != PdSocket.END_OF_STREAM) {
                throw new AssertionError("more after the end");
            }
            return sum;
        }
    }
}
