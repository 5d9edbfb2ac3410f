// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.core;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * One end of the connections of a measurement, each with its own {@link Traffic}. Prints one line when all have ended:
 * {@code done BYTES SUM HISTOGRAM}. The figures are those of all connections together. One thread makes the calls.
 */
final class Connections implements Traffic.Outcome {
    private final PrintStream out;
    private final List<Traffic> traffics = new ArrayList<>();
    private final Object accepting = new Object();

    /** This and the next ones belong to the lock of this object. */
    private int left;

    private long bytes;
    private long sum;
    private Histogram latencies;
    private boolean failed;

    /**
     * Prepares the connections.
     *
     * @param count of them
     */
    Connections(Phase phase, int size, int count, PrintStream out) {
        this.out = out;
        this.left = count;
        for (int i = 0; i < count; i++) {
            traffics.add(new Traffic(phase, size, this));
        }
    }

    /** Serves as many clients as there are connections. */
    void serve(Peer peer) {
        for (Traffic traffic : traffics) {
            traffic.serve(() -> {
                synchronized (accepting) {
                    return peer.accept();
                }
            });
        }
    }

    /** Connects to a port and runs the clients. */
    void drive(Peer peer, int port, int size, int ring) throws IOException {
        for (Traffic traffic : traffics) {
            traffic.drive(peer.connect(port, size, ring));
        }
    }

    void measure() {
        traffics.forEach(Traffic::measure);
    }

    void stop() {
        traffics.forEach(Traffic::stop);
    }

    long bytes() {
        return traffics.stream().mapToLong(Traffic::bytes).sum();
    }

    /** The threads of the connections. */
    long[] threadIds() {
        return traffics.stream().mapToLong(Traffic::threadId).toArray();
    }

    @Override
    public synchronized void done(Traffic traffic) {
        bytes += traffic.bytes();
        sum += traffic.sum();
        if (latencies == null) {
            latencies = traffic.latencies();
        } else {
            latencies.add(traffic.latencies());
        }
        left--;
        if (left == 0) {
            out.println("done " + bytes + " " + Long.toUnsignedString(sum) + " " + encoded());
        }
    }

    /** Prints the first failure; the others only follow from it. */
    @Override
    public synchronized void failed(Throwable cause) {
        if (!failed) {
            failed = true;
            out.println("error " + cause);
            cause.printStackTrace();
        }
    }

    private String encoded() {
        ByteBuffer buffer = ByteBuffer.allocate(latencies.getNeededByteBufferCapacity());
        int length = latencies.encodeIntoCompressedByteBuffer(buffer);
        return Base64.getEncoder().encodeToString(Arrays.copyOf(buffer.array(), length));
    }
}
