// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.samples.nio;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The processes to which this one connects: a line of its input, of the form {@code HOST PORT HOST PORT ...}. */
public final class NextProcesses {
    private NextProcesses() {}

    /**
     * Reads the line.
     *
     * @return the addresses, in their order
     * @throws IOException if the input has ended
     */
    public static List<InetSocketAddress> read() throws IOException {
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        String line = input.readLine();
        if (line == null) {
            throw new IOException("the addresses of the next processes were not given");
        }
        String[] words = line.split(" ", -1);
        List<InetSocketAddress> addresses = new ArrayList<>();
        for (int i = 0; i + 1 < words.length; i += 2) {
            addresses.add(new InetSocketAddress(words[i], Integer.parseInt(words[i + 1])));
        }
        return addresses;
    }
}
