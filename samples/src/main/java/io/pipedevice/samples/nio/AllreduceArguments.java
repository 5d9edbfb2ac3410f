// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.nio;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * The arguments of one process of an allreduce.
 *
 * @param rank its number from 0
 * @param ranks the number of processes
 * @param megabytes of the array of each
 * @param times how often the arrays are added up
 * @param host the address to listen at
 */
public record AllreduceArguments(int rank, int ranks, int megabytes, int times, InetAddress host) {
    /**
     * Parses a command line. If there are too few arguments, it prints what they are and ends the process.
     *
     * @param args the number of this process from 0, the number of processes, megabytes, how often, and perhaps the
     *     address to listen at
     * @return the same as numbers
     * @throws UnknownHostException if the address is not one
     */
    @SuppressWarnings("SystemOut")
    public static AllreduceArguments parse(String[] args) throws UnknownHostException {
        if (args.length < 4) {
            System.err.println("arguments: RANK RANKS MEGABYTES TIMES [HOST]");
            System.exit(2);
        }
        return new AllreduceArguments(
                Integer.parseInt(args[0]),
                Integer.parseInt(args[1]),
                Integer.parseInt(args[2]),
                Integer.parseInt(args[3]),
                args.length > 4 ? InetAddress.getByName(args[4]) : InetAddress.getLoopbackAddress());
    }

    /**
     * The array of this process.
     *
     * @return zeros
     */
    public ReducedArray array() {
        return new ReducedArray(rank, ranks, megabytes);
    }
}
