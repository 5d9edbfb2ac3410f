// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.nio;

import java.net.InetAddress;
import java.net.UnknownHostException;

/**
 * The arguments of one process of a chain of network functions.
 *
 * @param name what it does: the client, or a function
 * @param length of a request, in bytes
 * @param host the address to listen at; a client does not listen
 * @param requests of a client, each time
 * @param seconds for which a client repeats them, at least once
 * @param perSecond the rate at which a client sends; 0: as fast as it can
 */
public record ChainArguments(String name, int length, InetAddress host, int requests, double seconds, int perSecond) {
    private static final String CLIENT = "client";

    /**
     * Parses a command line. If there are too few arguments, it prints what they are and ends the process.
     *
     * @param args {@code client LENGTH REQUESTS} and perhaps for how long and at which rate, or {@code firewall
     *     LENGTH}, {@code balancer LENGTH}, or {@code worker LENGTH} and perhaps the address to listen at
     * @return the same as numbers
     * @throws UnknownHostException if the address is not one
     */
    @SuppressWarnings("SystemOut")
    public static ChainArguments parse(String[] args) throws UnknownHostException {
        boolean client = args.length > 0 && args[0].equals(CLIENT);
        if (args.length < (client ? 3 : 2)) {
            System.err.println(
                    "arguments: client LENGTH REQUESTS [SECONDS [RATE]], or firewall|balancer|worker LENGTH [HOST]");
            System.exit(2);
        }
        int length = Integer.parseInt(args[1]);
        InetAddress loopback = InetAddress.getLoopbackAddress();
        if (client) {
            double seconds = args.length > 3 ? Double.parseDouble(args[3]) : 0;
            int perSecond = args.length > 4 ? Integer.parseInt(args[4]) : 0;
            return new ChainArguments(CLIENT, length, loopback, Integer.parseInt(args[2]), seconds, perSecond);
        }
        return new ChainArguments(
                args[0], length, args.length > 2 ? InetAddress.getByName(args[2]) : loopback, 0, 0, 0);
    }

    /**
     * Whether the process sends requests and listens to no other one.
     *
     * @return whether it is the client
     */
    public boolean isClient() {
        return name.equals(CLIENT);
    }

    /**
     * Whether the process answers the requests, and passes none on.
     *
     * @return whether it is a worker
     */
    public boolean isWorker() {
        return name.equals("worker");
    }
}
