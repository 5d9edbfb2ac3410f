// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import io.aeron.Aeron;
import io.aeron.Publication;
import java.io.IOException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;

/** Offers one message after the other, at a pace. A message of a single byte marks the end. */
final class AeronSender implements Job {
    private static final int END_LENGTH = 1;

    private final Aeron aeron;
    private final int stream;
    private final int size;
    private final Pace pace;
    private final IdleStrategy idle = AeronStreams.idle();

    AeronSender(Aeron aeron, int stream, int size, Pace pace) {
        this.aeron = aeron;
        this.stream = stream;
        this.size = size;
        this.pace = pace;
    }

    @Override
    public void run(Progress progress) throws IOException {
        Pattern pattern = new Pattern(size);
        DirectBuffer memory = new UnsafeBuffer(pattern.memory());
        try (Publication publication = aeron.addExclusivePublication(AeronStreams.channel(size), stream)) {
            while (!progress.isStopping()) {
                if (!pace.isDue(pattern.done())) {
                    pace.sleep();
                    continue;
                }
                AeronStreams.offer(publication, memory, pattern.nextOffset(), size, idle);
            }
            progress.count(pattern.done());
            AeronStreams.offer(publication, memory, 0, END_LENGTH, idle);
        }
    }
}
