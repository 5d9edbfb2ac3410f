// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

/** A figure that rows have. */
enum Metric {
    /** Per second. */
    MESSAGES,

    /** 10^9 bytes of payload per second. */
    GIGABYTES,

    /** CPU seconds of all processes per 10^9 bytes of payload. */
    CPU,

    /** Nanoseconds of a round trip, or of one connection from its beginning to its end. */
    P50,
    P99,
    P999,

    /** Connections per second. */
    CONNECTIONS,

    /** Round trips per second, with few connections open and with many. */
    ECHOES_FEW,
    ECHOES_MANY,

    /** Round trips per second, of a row that has one such figure. */
    ECHOES,

    /** Connections that a JVM makes in its first seconds, one by one and in all of them. */
    FIRST_SECOND,
    SECOND_SECOND,
    THIRD_SECOND,
    FIRST_SECONDS,

    /** CPU seconds of a JVM that opens a selector and ends, and of one that connects and ends. */
    CPU_SELECTOR,
    CPU_CONNECT,

    /** Bytes of memory that a connection takes: all, and its parts. */
    MEMORY,
    MEMORY_PROCESSES,
    MEMORY_HEAP,
    MEMORY_SHARED,
    MEMORY_KERNEL,

    /** Share of one processor. */
    IDLE_CPU,

    /** Bytes of heap, and 1000ths of a system call, of all processes for each message. */
    ALLOCATED,
    SYSTEM_CALLS,

    /** Nanoseconds of a cache line from one processor to another one and back, just before the row was measured. */
    CACHE_LINE
}
