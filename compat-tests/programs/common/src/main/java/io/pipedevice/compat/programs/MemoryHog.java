// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.compat.programs;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Takes so many {@code megabytes} of the machine's memory, and has them until its standard input ends. */
final class MemoryHog {
    private static final int PIECE = 16;

    private MemoryHog() {}

    static void main(String[] args) throws Exception {
        int megabytes = new Arguments(args).number("megabytes");
        List<byte[]> pieces = new ArrayList<>();
        for (int taken = 0; taken < megabytes; taken += PIECE) {
            byte[] piece = new byte[PIECE << 20];
            Arrays.fill(piece, (byte) 1);
            pieces.add(piece);
        }
        Console.ready();
        Console.awaitEnd();
        // What is used after the end of the input cannot be collected before.
        System.out.println(pieces.size());
    }
}
