// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedChannelException;

/** The writes of a channel, one at a time: each has the channel's write lock. */
final class ChannelWriter {
    private final PdSocketChannel channel;
    private final SocketState state;
    private final OptionStore options;
    private final TurnLock turn;

    /** For a write of one buffer in full; under the write lock. */
    private final ByteBuffer[] single = new ByteBuffer[1];

    ChannelWriter(PdSocketChannel channel, SocketState state, OptionStore options, TurnLock turn) {
        this.channel = channel;
        this.state = state;
        this.options = options;
        this.turn = turn;
    }

    int write(ByteBuffer source) throws IOException {
        if (!channel.takesTurn(turn)) {
            writable(true);
            return channel.aside(turn, false, () -> writeAllInTurn(source));
        }
        int before = source.position();
        boolean leaves = true;
        try {
            return writeInTurn(source);
        } catch (StreamCall.Needed e) {
            leaves = false;
        } finally {
            if (leaves) {
                channel.leave(turn);
            }
        }
        // Some of it may have found room, and nobody else's comes before the rest.
        int first = (int) sent(source.position() - before);
        return first + channel.aside(turn, true, () -> writeAllInTurn(source));
    }

    /** What a stream writes is one piece, although the kernel takes some at a time from a virtual thread. */
    private int writeAllInTurn(ByteBuffer source) throws IOException {
        int count = 0;
        do {
            count += writeInTurn(source);
        } while (source.hasRemaining());
        return count;
    }

    private int writeInTurn(ByteBuffer source) throws IOException {
        try {
            return (int) sent(writable(source.hasRemaining()).write(source));
        } catch (IOException e) {
            throw writeFailure(e);
        }
    }

    long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        turn.lock();
        try {
            return sent(writable(hasRemaining(sources, offset, length)).write(sources, offset, length));
        } catch (IOException e) {
            throw writeFailure(e);
        } finally {
            channel.leave(turn);
        }
    }

    /** Writes everything, in blocking mode. */
    void writeFully(ByteBuffer source) throws IOException {
        turn.lock();
        try {
            Transport to = state.connected();
            channel.requireBlocking();
            if (state.isOutputShut()) {
                throw new ClosedChannelException();
            }
            // As a gathering write, which waits also for a thread that holds the blocking lock.
            single[0] = source;
            while (source.hasRemaining()) {
                sent(to.write(single, 0, 1));
            }
        } catch (IOException e) {
            throw fullWriteFailure(e);
        } finally {
            single[0] = null;
            channel.leave(turn);
        }
    }

    /** The peer of a ring drops urgent data, as a socket does that does not ask for them in line. */
    void sendUrgentData(int data) throws IOException {
        if (!(state.connected() instanceof RingTransport rings)) {
            options.kernel().socket().sendUrgentData(data);
            return;
        }
        turn.lock();
        try {
            state.connected();
            if (state.isOutputShut()) {
                throw new ClosedChannelException();
            }
            rings.sendUrgent();
        } catch (IOException e) {
            throw writeFailure(e);
        } finally {
            channel.leave(turn);
        }
    }

    private long sent(long count) {
        state.record().sent(count);
        return count;
    }

    private static boolean hasRemaining(ByteBuffer[] sources, int offset, int length) {
        for (int i = offset; i < offset + length; i++) {
            if (sources[i].hasRemaining()) {
                return true;
            }
        }
        return false;
    }

    private Transport writable(boolean some) throws IOException {
        Transport to = state.connected();
        if (state.isOutputShut()) {
            channel.leaveIfInterrupted();
            if (StreamCall.isNeeded(channel)) {
                // The JDK's streams say it by another name, and do not try.
                throw new ClosedChannelException();
            }
            if (to instanceof RingTransport rings) {
                if (some && !channel.isBlocking()) {
                    rings.writeInVain();
                }
                throw new AsynchronousCloseException();
            }
        }
        return to;
    }

    /** A write that finds its output shut, or its channel closed, by another thread. */
    private IOException writeFailure(IOException e) {
        boolean ended = state.isOutputShut() || !channel.isOpen();
        return ended && !(e instanceof ClosedChannelException) ? new AsynchronousCloseException() : e;
    }

    /** As {@link #writeFailure}, but that it finds its output shut by trying to write the rest. */
    private IOException fullWriteFailure(IOException e) {
        IOException failure = writeFailure(e);
        return channel.isOpen() && failure instanceof AsynchronousCloseException
                ? new IOException("Broken pipe")
                : failure;
    }
}
