// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

/** The traffic of two processes on their connections. */
public enum Kind {
    /** Messages one way, TCP_NODELAY. */
    STREAM,

    /** The same without TCP_NODELAY, so that the kernel may gather small messages. */
    GATHERED_STREAM,

    /** Messages one way, TCP_NODELAY, through buffered streams at both ends. */
    BUFFERED_STREAM,

    /** A stream at the fixed rate of {@link Pace#BYTES_PER_SECOND}, TCP_NODELAY. */
    PACED_STREAM,

    /** Round trips of one message at a time; each end has one blocking connection. */
    PING_PONG,

    /** The same by a virtual thread at each end. */
    VIRTUAL_PING_PONG,

    /** Each of some of many connections has a message under way; each end has one thread and one selector. */
    SELECTOR,

    /** The same, but the next message goes to the next connection, so that each connection seldom has one. */
    ROTATING,

    /** Connections that carry one byte each way, one after the other. */
    CONNECT,

    /** The same by several threads; the server has as many. */
    CONNECT_THREADS,

    /** Streams on several connections, each with a thread at each end, TCP_NODELAY. */
    PAIRS,

    /** That of programs of the samples and of Spark, which are no programs of a stack. */
    SAMPLE
}
