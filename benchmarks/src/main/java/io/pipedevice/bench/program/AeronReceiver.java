// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.program;

import io.aeron.Aeron;
import io.aeron.FragmentAssembler;
import io.aeron.Subscription;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;

/** Polls a stream. */
final class AeronReceiver implements Job.Server {
    private static final int FRAGMENTS = 64;

    private final Subscription subscription;
    private final int stream;
    private final int size;
    private final Pattern pattern;
    private final ByteBuffer copy;
    private boolean ended;

    AeronReceiver(Aeron aeron, int stream, int size) {
        this.subscription = aeron.addSubscription(AeronStreams.channel(size), stream);
        this.stream = stream;
        this.size = size;
        this.pattern = new Pattern(size);
        this.copy = ByteBuffer.allocateDirect(size);
    }

    @Override
    public String address() {
        return Integer.toString(stream);
    }

    @Override
    public void run(Progress progress) throws IOException {
        FragmentAssembler assembler = new FragmentAssembler(
                (buffer, offset, length, header) -> take(buffer, offset, length, progress.isChecking()), size);
        IdleStrategy idle = AeronStreams.idle();
        try (subscription) {
            while (!ended) {
                int fragments = subscription.poll(assembler, FRAGMENTS);
                progress.count(pattern.done());
                idle.idle(fragments);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private void take(DirectBuffer buffer, int offset, int length, boolean checking) {
        if (length < size) {
            ended = true;
            return;
        }
        try {
            if (checking) {
                buffer.getBytes(offset, copy.clear(), length);
                pattern.checkAll(copy.flip());
            } else {
                pattern.checkWord(buffer.getLong(offset, ByteOrder.BIG_ENDIAN));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        pattern.advance(length);
    }
}
