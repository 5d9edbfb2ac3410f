// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/**
 * Two honest processes with one connection, which measure its performance. Argument: the driver's directory. Prints
 * READY and the ids of the two, the sender's first. Then, for each line that is a number of milliseconds, prints STREAM
 * and the bytes of a second, and DELAY and the median and the 99th percentile of the time of a message in one
 * direction, in nanoseconds.
 */
final class PairProcess {
    private static final int PIECE = 16 << 10;
    private static final int MESSAGE = 64;
    private static final int PATIENCE_MS = 10_000;
    private static final int MAX_SAMPLES = 1 << 20;

    private PairProcess() {}

    public static void main(String[] arguments) throws IOException {
        Path directory = Path.of(arguments[0]);
        try (RawClient client = RawClient.attach(TestDriver.endpoint(directory));
                RawClient server = RawClient.attach(TestDriver.endpoint(directory));
                RawPair pair = new RawPair(client, server)) {
            System.out.println("READY " + client.cid + " " + server.cid);
            BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
            for (String line = input.readLine(); line != null; line = input.readLine()) {
                long ns = TimeUnit.MILLISECONDS.toNanos(Long.parseLong(line));
                System.out.println("STREAM " + stream(pair, ns));
                long[] delays = delays(pair, ns);
                System.out.println("DELAY " + delays[delays.length / 2] + " " + delays[delays.length * 99 / 100]);
            }
        }
    }

    private static long stream(RawPair pair, long ns) throws IOException {
        byte[] piece = new byte[PIECE];
        long start = System.nanoTime();
        long written = 0;
        long received = 0;
        boolean writes = true;
        while (writes || received < written) {
            writes = System.nanoTime() - start < ns;
            int wrote = writes ? pair.near.write(piece, 0, PIECE) : 0;
            int read = pair.far.read(piece);
            written += wrote;
            received += read;
            if (wrote == 0 && read == 0 && received < written) {
                pair.far.awaitReadable(PATIENCE_MS);
            }
        }
        return (long) (received * 1e9 / (System.nanoTime() - start));
    }

    private static long[] delays(RawPair pair, long ns) throws IOException {
        byte[] message = new byte[MESSAGE];
        long[] delays = new long[MAX_SAMPLES];
        int count = 0;
        long start = System.nanoTime();
        long sent = start;
        while ((sent - start < ns && count < MAX_SAMPLES) || count == 0) {
            pair.near.writeFully(message);
            while (pair.far.available() < MESSAGE) {
                pair.far.awaitReadable(PATIENCE_MS);
            }
            delays[count++] = System.nanoTime() - sent;
            pair.far.readFully(MESSAGE);
            sent = System.nanoTime();
        }
        long[] sorted = Arrays.copyOf(delays, count);
        Arrays.sort(sorted);
        return sorted;
    }
}
