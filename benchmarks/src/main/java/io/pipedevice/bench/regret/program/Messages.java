// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret.program;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;

/**
 * Messages one way. Their first byte says whether the message is the last one of a turn; then the receiver answers with
 * the number of messages that it has received in this turn.
 */
final class Messages {
    static final int SIZE = 64 << 10;

    /** The first byte of the last message of a turn. */
    static final byte LAST = 1;

    private Messages() {}

    /** Receives messages until the end of the stream. */
    static void receive(SocketChannel channel, ByteBuffer message) throws IOException {
        ByteBuffer answer = ByteBuffer.allocateDirect(Long.BYTES);
        long count = 0;
        while (ChannelIo.read(channel, message.clear())) {
            count++;
            if (message.get(0) == LAST) {
                ChannelIo.write(channel, answer.putLong(0, count).clear());
                count = 0;
            }
        }
    }

    /** Checks the answer to a turn. */
    static long checked(long sent, long received) throws IOException {
        if (sent != received) {
            throw new IOException("sent " + sent + " messages, but " + received + " arrived");
        }
        return sent;
    }
}
