// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret;

import java.util.List;

/** Rows that the same processes measure one after the other, or that one start of a process measures together. */
enum Stage {
    CHANNELS,
    SOCKETS,
    FILES,
    CONNECTS,
    SERVERS,
    THREADS,
    NETTY,
    ASYNC,
    HTTP,
    GRPC,
    LIMITED,
    START;

    /** Whether the measured program is the one to which its peer connects. */
    boolean programServes() {
        return this == SERVERS;
    }

    /** Whether each of its processes gets half a processor. */
    boolean isLimited() {
        return this == LIMITED;
    }

    /** Flags of all its JVMs, with PipeDevice's flag or without, which keep warnings from the output. */
    List<String> flags() {
        return this == NETTY || this == GRPC
                ? List.of(
                        "--enable-native-access=ALL-UNNAMED",
                        "--sun-misc-unsafe-memory-access=allow",
                        "-Dio.netty.machineId=02:00:00:00:00:01",
                        "-Dio.grpc.netty.shaded.io.netty.machineId=02:00:00:00:00:01")
                : List.of();
    }
}
