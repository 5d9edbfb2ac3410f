// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;

/**
 * One process of several that add up their arrays of floats, so that each has all sums, as data-parallel training does
 * with gradients. Each sends to the next process of a ring and receives from the one before: first the parts of the
 * array go round and are added, then the sums go round.
 *
 * <p>It prints {@code listening PORT}, and reads the address of the next process from its input, as {@code HOST PORT}.
 * For each time that the sums were made it prints {@code reduced SECONDS}, and at the end {@code verified} and its
 * channels, which say by which way the data went.
 */
public final class RingAllreduce {
    private final int rank;
    private final int ranks;
    private final ReducedArray array;

    private RingAllreduce(int rank, int ranks, int megabytes) {
        this.rank = rank;
        this.ranks = ranks;
        this.array = new ReducedArray(rank, ranks, megabytes);
    }

    /**
     * Runs one process.
     *
     * @param args the number of this process from 0, the number of processes, megabytes, how often, and perhaps the
     *     address to listen at
     * @throws IOException if a neighbour ends early
     */
    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws IOException {
        if (args.length < 4) {
            System.err.println("arguments: RANK RANKS MEGABYTES TIMES [HOST]");
            System.exit(2);
        }
        RingAllreduce process =
                new RingAllreduce(Integer.parseInt(args[0]), Integer.parseInt(args[1]), Integer.parseInt(args[2]));
        InetAddress host = args.length > 4 ? InetAddress.getByName(args[4]) : InetAddress.getLoopbackAddress();
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(host, 0))) {
            System.out.println("listening " + ((InetSocketAddress) server.getLocalAddress()).getPort());
            try (RingNeighbours neighbours =
                    RingNeighbours.meet(server, NextProcesses.read().getFirst())) {
                for (int time = Integer.parseInt(args[3]); time > 0; time--) {
                    process.array.fill();
                    long begin = System.nanoTime();
                    process.reduce(neighbours);
                    System.out.println("reduced " + (System.nanoTime() - begin) / 1e9);
                    process.array.verify();
                }
                System.out.println("verified " + neighbours);
            }
        }
    }

    private void reduce(RingNeighbours neighbours) throws IOException {
        for (int step = 0; step < ranks - 1; step++) {
            neighbours.exchange(part(rank - step), part(rank - step - 1), true);
        }
        for (int step = 0; step < ranks - 1; step++) {
            neighbours.exchange(part(rank + 1 - step), part(rank - step), false);
        }
    }

    /** A part of the array; the numbers go round. */
    private ByteBuffer part(int number) {
        return array.part(Math.floorMod(number, ranks), ranks);
    }
}
