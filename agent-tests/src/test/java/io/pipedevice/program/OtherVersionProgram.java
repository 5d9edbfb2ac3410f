// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program;

import io.pipedevice.memory.SharedRegion;
import java.lang.foreign.ValueLayout;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;

/**
 * A program that seems to have another version of PipeDevice: it publishes counters of which this version knows only
 * the magic number and the place of the version. Prints the port where it accepts one connection, and keeps it open
 * until its input ends.
 */
public final class OtherVersionProgram {
    private OtherVersionProgram() {}

    public static void main(String[] args) throws Exception {
        try (SharedRegion page = SharedRegion.create("pipedevice-stat", 64, false);
                ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            page.memory().asByteBuffer().put("PDJVMCNT".getBytes(StandardCharsets.US_ASCII));
            page.memory().set(ValueLayout.JAVA_LONG, 8, 1_000_000);
            System.out.println(server.getLocalPort());
            server.accept();
            System.in.transferTo(System.out);
        }
    }
}
