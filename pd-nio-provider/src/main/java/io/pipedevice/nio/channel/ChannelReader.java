// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.lib.PdSocket;
import io.pipedevice.nio.transport.BlockingContext;
import io.pipedevice.nio.transport.Transport;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;

/** The reads of a channel, one at a time: each holds the channel's read lock. */
final class ChannelReader {
    private final BlockingContext context;
    private final SocketState state;
    private final ChannelTurn turn;
    private final SocketEvents events;

    /** Under the read lock. */
    private final LastArray arrays = new LastArray();

    ChannelReader(BlockingContext context, SocketState state, ChannelTurn turn) {
        this.context = context;
        this.state = state;
        this.turn = turn;
        this.events = new SocketEvents(context, state);
    }

    int read(ByteBuffer target) throws IOException {
        long start = events.beginRead();
        int count = readUnrecorded(target);
        events.read(start, count, Transport.FOREVER);
        return count;
    }

    private int readUnrecorded(ByteBuffer target) throws IOException {
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
        return turn.continueOnVirtualThread(() -> readInTurn(target));
    }

    /**
     * Reads for a thread that must not wait. If the kernel has bytes, this thread reads them: no other thread can take
     * them while it has the turn. Otherwise a virtual thread reads.
     */
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
        return turn.runOnVirtualThread(() -> readInTurn(target));
    }

    private boolean hasSome() {
        try {
            return available() > 0;
        } catch (IOException e) {
            // The read fails too, and reports the failure.
            return false;
        }
    }

    private int readInTurn(ByteBuffer target) throws IOException {
        Transport from = state.connected();
        return (int) received(state.isInputShut() ? end() : from.read(target));
    }

    long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        long start = events.beginRead();
        long count = readUnrecorded(targets, offset, length);
        events.read(start, count, Transport.FOREVER);
        return count;
    }

    private long readUnrecorded(ByteBuffer[] targets, int offset, int length) throws IOException {
        turn.take();
        try {
            Transport from = state.connected();
            return received(state.isInputShut() ? end() : from.read(targets, offset, length));
        } finally {
            turn.leave();
        }
    }

    /** Reads into an array, in blocking mode. */
    int read(byte[] target, int offset, int length, long timeoutNs) throws IOException {
        long start = events.beginRead();
        int count = readUnrecorded(target, offset, length, timeoutNs);
        events.read(start, count, timeoutNs);
        return count;
    }

    private int readUnrecorded(byte[] target, int offset, int length, long timeoutNs) throws IOException {
        long left = takeTurn(timeoutNs);
        try {
            Transport from = state.connected();
            context.requireBlocking();
            return (int) received(state.isInputShut() ? end() : from.read(arrays.buffer(target, offset, length), left));
        } catch (SocketTimeoutException | ClosedChannelException e) {
            throw e;
        } catch (IOException e) {
            // The close may reset the connection, to make the reader leave.
            throw context.isOpen() ? e : new AsynchronousCloseException();
        } finally {
            turn.leave();
        }
    }

    /** Takes the turn; how much of the timeout is left. The wait for other readers counts in sockets of java.net. */
    private long takeTurn(long timeoutNs) throws IOException {
        if (!context.isInterruptible()) {
            return turn.take(timeoutNs);
        }
        turn.take();
        return timeoutNs;
    }

    /** The number of bytes that can be read without waiting. */
    int available() throws IOException {
        if (!turn.tryTake()) {
            // Another thread is reading, and takes the bytes that arrive.
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

    /** The result of a read after the input was shut. */
    private int end() throws IOException {
        context.leaveIfInterrupted();
        return PdSocket.END_OF_STREAM;
    }

    private long received(long count) throws AsynchronousCloseException {
        if (count > 0) {
            state.record().received(count);
        } else if (count < 0 && context.isBlocking() && !context.isOpen()) {
            // The close has ended the stream, to make the reader leave.
            throw new AsynchronousCloseException();
        }
        return count;
    }
}
