// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import io.aeron.Publication;
import java.io.IOException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;

/** How the Aeron jobs name, write and poll their streams. */
final class AeronStreams {
    /** Length of a term, small enough that the three terms stay in the last-level cache of most processors. */
    private static final int TERM = 4 << 20;

    /** A message may be as long as an eighth of a term. */
    private static final int MESSAGES_PER_TERM = 8;

    private static final int SPINS = 10_000;

    private AeronStreams() {}

    /** Spins; after a long wait, as on a busy machine, it yields to other threads. */
    static IdleStrategy idle() {
        return new BackoffIdleStrategy(SPINS, Long.MAX_VALUE, 1, 1);
    }

    /** The channel for messages of a size. */
    static String channel(int size) {
        return "aeron:ipc?term-length=" + Math.max(TERM, MESSAGES_PER_TERM * Integer.highestOneBit(2 * size - 1));
    }

    /** Offers a message until the stream has room for it. */
    static void offer(Publication publication, DirectBuffer memory, int offset, int length, IdleStrategy idle)
            throws IOException {
        idle.reset();
        for (long result = publication.offer(memory, offset, length);
                result < 0;
                result = publication.offer(memory, offset, length)) {
            if (result == Publication.CLOSED || result == Publication.MAX_POSITION_EXCEEDED) {
                throw new IOException("aeron: offer returned " + result);
            }
            idle.idle();
        }
    }
}
