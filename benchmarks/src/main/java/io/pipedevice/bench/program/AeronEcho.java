// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import io.aeron.Aeron;
import io.aeron.FragmentAssembler;
import io.aeron.Publication;
import io.aeron.Subscription;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;

/** Sends received messages back on the next stream. */
final class AeronEcho implements Job.Server {
    private final Subscription there;
    private final Publication back;
    private final int stream;
    private final int size;
    private final IdleStrategy idle = AeronStreams.idle();
    private final IdleStrategy idleOffer = AeronStreams.idle();
    private long answers;
    private boolean ended;

    AeronEcho(Aeron aeron, int stream, int size) {
        this.there = aeron.addSubscription(AeronStreams.channel(size), stream);
        this.back = aeron.addExclusivePublication(AeronStreams.channel(size), stream + 1);
        this.stream = stream;
        this.size = size;
    }

    @Override
    public String address() {
        return Integer.toString(stream);
    }

    @Override
    public void run(Progress progress) throws IOException {
        FragmentAssembler assembler =
                new FragmentAssembler((buffer, offset, length, header) -> answer(buffer, offset, length), size);
        try (there;
                back) {
            while (!ended) {
                int fragments = there.poll(assembler, 1);
                progress.count(answers);
                idle.idle(fragments);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void answer(DirectBuffer buffer, int offset, int length) {
        if (length < size) {
            ended = true;
            return;
        }
        try {
            AeronStreams.offer(back, buffer, offset, length, idleOffer);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        answers++;
    }
}
