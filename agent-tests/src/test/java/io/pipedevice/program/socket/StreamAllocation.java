// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program.socket;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.concurrent.TimeUnit;

/**
 * Prints the fewest bytes that 5000 messages through the streams of two sockets allocate, once everything is compiled.
 */
public final class StreamAllocation {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Rounds allocate until their code is compiled: for about this time, or for more rounds on a busy machine. */
    private static final long COMPILED_NS = TimeUnit.SECONDS.toNanos(20);

    private static final int ROUNDS = 40;

    private StreamAllocation() {}

    /**
     * Runs the program.
     *
     * @param args none
     */
    public static void main(String[] args) throws IOException {
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                Socket client = new Socket(server.getInetAddress(), server.getLocalPort());
                Socket accepted = server.accept()) {
            System.out.println(leastAllocation(client.getOutputStream(), accepted.getInputStream()));
        }
    }

    private static long leastAllocation(OutputStream out, InputStream in) throws IOException {
        byte[] source = new byte[2000];
        byte[] target = new byte[2000];
        long least = Long.MAX_VALUE;
        long start = System.nanoTime();
        for (int round = 0; least > 0 && (round < ROUNDS || System.nanoTime() - start < COMPILED_NS); round++) {
            long before = THREADS.getCurrentThreadAllocatedBytes();
            for (int i = 0; i < 5000; i++) {
                out.write(source, i % 100, 1000);
                if (in.readNBytes(target, i % 50, 1000) != 1000) {
                    throw new IOException("the stream ended");
                }
            }
            least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
        }
        return least;
    }
}
