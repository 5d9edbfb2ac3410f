// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import io.aeron.Aeron;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/** Sends a message on one stream, and receives it on the next. A message of a single byte marks the end. */
final class AeronPingPong implements Job {
    private final Aeron aeron;
    private final int stream;
    private final int size;
    private final IdleStrategy idle = AeronStreams.idle();
    private final IdleStrategy idleOffer = AeronStreams.idle();
    private long answer;

    AeronPingPong(Aeron aeron, int stream, int size) {
        this.aeron = aeron;
        this.stream = stream;
        this.size = size;
    }

    @Override
    public void run(Progress progress) throws IOException {
        UnsafeBuffer message = new UnsafeBuffer(ByteBuffer.allocateDirect(size));
        FragmentAssembler assembler =
                new FragmentAssembler((buffer, offset, length, header) -> answer = buffer.getLong(offset), size);
        try (Publication there = aeron.addExclusivePublication(AeronStreams.channel(size), stream);
                Subscription back = aeron.addSubscription(AeronStreams.channel(size), stream + 1)) {
            for (long round = 1; !progress.isStopping(); round++) {
                message.putLong(0, round);
                long start = System.nanoTime();
                AeronStreams.offer(there, message, 0, size, idleOffer);
                while (answer < round) {
                    idle.idle(back.poll(assembler, 1));
                }
                progress.latency(System.nanoTime() - start);
                if (answer != round) {
                    throw new IOException("round " + round + " came back as " + answer);
                }
                progress.count(round);
            }
            AeronStreams.offer(there, message, 0, 1, idleOffer);
        }
    }
}
