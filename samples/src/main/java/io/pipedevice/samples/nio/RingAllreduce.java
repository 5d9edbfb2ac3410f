// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.nio;

import java.io.IOException;
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

    private RingAllreduce(AllreduceArguments arguments) {
        this.rank = arguments.rank();
        this.ranks = arguments.ranks();
        this.array = arguments.array();
    }

    /**
     * Runs one process.
     *
     * @param args as {@link AllreduceArguments#parse} wants them
     * @throws IOException if a neighbour ends early
     */
    @SuppressWarnings("SystemOut")
    public static void main(String[] args) throws IOException {
        AllreduceArguments arguments = AllreduceArguments.parse(args);
        RingAllreduce process = new RingAllreduce(arguments);
        try (ServerSocketChannel server = ServerSocketChannel.open().bind(new InetSocketAddress(arguments.host(), 0))) {
            System.out.println("listening " + ((InetSocketAddress) server.getLocalAddress()).getPort());
            try (RingNeighbours neighbours =
                    RingNeighbours.meet(server, NextProcesses.read().getFirst())) {
                for (int time = arguments.times(); time > 0; time--) {
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
