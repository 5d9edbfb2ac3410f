// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdSocket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;

/** The reads of a channel, one at a time: each has the channel's read lock. */
final class ChannelReader {
    private final BlockingContext context;
    private final SocketState state;
    private final ChannelTurn turn;

    ChannelReader(BlockingContext context, SocketState state, ChannelTurn turn) {
        this.context = context;
        this.state = state;
        this.turn = turn;
    }

    int read(ByteBuffer target) throws IOException {
        if (!turn.takeIfPermitted(state.waitsInKernel())) {
            return readForStream(target);
        }
        boolean hasToWait = false;
        try {
            int count = readInTurn(target);
            hasToWait = count == 0 && target.hasRemaining() && !context.mayWait();
            if (!hasToWait) {
                return count;
            }
        } finally {
            if (!hasToWait) {
                turn.leave();
            }
        }
        return turn.goOnAside(() -> readInTurn(target));
    }

    /** Reads through the kernel: here if something is there, which nobody else can take as long as the lock is held. */
    private int readForStream(ByteBuffer target) throws IOException {
        if (state.waitsInKernel() && turn.tryTake()) {
            try {
                if (hasSome()) {
                    return readInTurn(target);
                }
            } finally {
                turn.leave();
            }
        }
        return turn.aside(() -> readInTurn(target));
    }

    private boolean hasSome() {
        try {
            return available() > 0;
        } catch (IOException e) {
            // The read has the right words.
            return false;
        }
    }

    private int readInTurn(ByteBuffer target) throws IOException {
        Transport from = state.connected();
        return (int) received(state.isInputShut() ? end() : from.read(target));
    }

    long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        turn.take();
        try {
            Transport from = state.connected();
            return received(state.isInputShut() ? end() : from.read(targets, offset, length));
        } finally {
            turn.leave();
        }
    }

    /** Reads into an array's buffer, in blocking mode. */
    int read(ByteBuffer target, long timeoutNs) throws IOException {
        turn.take();
        try {
            Transport from = state.connected();
            context.requireBlocking();
            return (int) received(state.isInputShut() ? end() : from.read(target, timeoutNs));
        } finally {
            turn.leave();
        }
    }

    /** What can be read without waiting, in bytes. */
    int available() throws IOException {
        if (!turn.tryTake()) {
            // Whoever reads at present takes what comes.
            state.connected();
            return 0;
        }
        try {
            Transport from = state.connected();
            return state.isInputShut() ? 0 : from.available();
        } finally {
            turn.leave();
        }
    }

    /** What a read finds whose input is shut. */
    private int end() throws IOException {
        context.leaveIfInterrupted();
        return PdSocket.END_OF_STREAM;
    }

    private long received(long count) throws AsynchronousCloseException {
        if (count > 0) {
            state.record().received(count);
        } else if (count < 0 && context.isBlocking() && !context.isOpen()) {
            // The end that a close makes, to get the reader out.
            throw new AsynchronousCloseException();
        }
        return count;
    }
}
