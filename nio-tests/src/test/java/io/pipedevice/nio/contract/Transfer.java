// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.io.IOException;

/** Many writes or reads on end. */
final class Transfer {
    private static final int LARGEST_PIECE = 20_000;

    private final Streams streams;
    private final Act act;
    private final int stream;

    Transfer(Streams streams, Act act, int stream) {
        this.streams = streams;
        this.act = act;
        this.stream = stream;
    }

    /** Writes the bytes of the act. */
    Outcome write() {
        int count = 0;
        try {
            while (count < act.size()) {
                int length = Math.min(act.size() - count, piece(count));
                int written = streams.write(form(), Content.bytes(stream, act.position() + count, length));
                count += written;
                if (written == 0) {
                    streams.awaitRoom();
                }
            }
            return new Outcome("all written", count);
        } catch (IOException e) {
            return Outcome.of(e, count);
        }
    }

    /** Reads {@code most} bytes, or until the stream ends. */
    Outcome read(int most) {
        int count = 0;
        try {
            while (count < most) {
                int read = streams.read(form(), Math.min(most - count, piece(count)), stream, act.position() + count);
                if (read < 0) {
                    return new Outcome("then the end", count);
                }
                if (read == 0) {
                    streams.awaitBytes();
                }
                count += read;
            }
            return new Outcome("all read", count);
        } catch (IOException e) {
            return Outcome.of(e, count);
        }
    }

    /** The size of the next piece, larger when there are many bytes. */
    private int piece(int count) {
        return 1 + act.form() % LARGEST_PIECE + (count >> 5);
    }

    private int form() {
        return act.form() / 2 % streams.forms(act.form() % 2 == 0);
    }
}
