// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.nio.transport.BlockingContext;
import io.pipedevice.nio.transport.Transport;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;

/** The writes of a channel, one at a time: each holds the channel's write lock. */
final class ChannelWriter {
    private final BlockingContext context;
    private final SocketState state;
    private final ChannelTurn turn;
    private final SocketEvents events;

    /** This and the field below are for a write in full, under the write lock. */
    private final LastArray arrays = new LastArray();

    private final ByteBuffer[] single = new ByteBuffer[1];

    ChannelWriter(BlockingContext context, SocketState state, ChannelTurn turn) {
        this.context = context;
        this.state = state;
        this.turn = turn;
        this.events = new SocketEvents(context, state);
    }

    int write(ByteBuffer source) throws IOException {
        long start = events.beginWrite();
        int count = writeUnrecorded(source);
        events.written(start, count);
        return count;
    }

    private int writeUnrecorded(ByteBuffer source) throws IOException {
        if (!turn.takeIfPermitted(state.waitsInKernel())) {
            writable(true);
            return turn.runOnVirtualThread(() -> writeAllInTurn(source));
        }
        int first;
        boolean hasToWait = false;
        try {
            first = writeInTurn(source);
            hasToWait = source.hasRemaining() && !context.mayWait();
            if (!hasToWait) {
                return first;
            }
        } finally {
            if (!hasToWait) {
                turn.leave();
            }
        }
        // Some of the bytes may be written already. No other write comes between them and the rest.
        return first + turn.continueOnVirtualThread(() -> writeAllInTurn(source));
    }

    /**
     * Writes all bytes of a stream's write in one turn, although the kernel takes a part at a time from a virtual
     * thread.
     */
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
        long start = events.beginWrite();
        long count = writeUnrecorded(sources, offset, length);
        events.written(start, count);
        return count;
    }

    private long writeUnrecorded(ByteBuffer[] sources, int offset, int length) throws IOException {
        turn.take();
        try {
            return sent(writable(hasRemaining(sources, offset, length)).write(sources, offset, length));
        } catch (IOException e) {
            throw writeFailure(e);
        } finally {
            turn.leave();
        }
    }

    /**
     * Transfers bytes of a file; null if the caller is to write them. Fails as the JDK's own channels do: an interrupt
     * closes the file, too.
     */
    Long transfer(FileChannel file, long position, long count) throws IOException {
        if (!context.isOpen() || position < 0 || count < 0) {
            return null;
        }
        if (!state.isConnected()) {
            refuseUnconnected(file, position);
            return null;
        }
        long sent;
        if (context.mayWait()) {
            turn.take();
            try {
                sent = transferInTurn(file, position, count);
            } finally {
                turn.leave();
            }
        } else {
            sent = transferForStream(file, position, Math.min(count, Integer.MAX_VALUE));
        }
        return sent == Transport.UNSUPPORTED ? null : sent;
    }

    private long transferInTurn(FileChannel file, long position, long count) throws IOException {
        return transferred(state.connected().transfer(file, position, count));
    }

    /** Transfers at least a byte, unless the file ends, for a thread that must not wait. */
    private long transferForStream(FileChannel file, long position, long count) throws IOException {
        StreamCall.Call call = () -> (int) transferred(state.connected().transferForStream(file, position, count));
        try {
            if (state.waitsInKernel() || !turn.tryTake()) {
                return turn.runOnVirtualThread(call);
            }
            boolean hasToWait = false;
            try {
                long sent = transferInTurn(file, position, count);
                hasToWait = sent == 0 && count > 0;
                if (!hasToWait) {
                    return sent;
                }
            } finally {
                if (!hasToWait) {
                    turn.leave();
                }
            }
            return turn.continueOnVirtualThread(call);
        } catch (ClosedByInterruptException e) {
            file.close();
            throw e;
        }
    }

    private long transferred(long sent) {
        return sent == Transport.UNSUPPORTED ? sent : sent(sent);
    }

    /** Fails after what the JDK checks before: a transfer of no bytes makes no attempt to write. */
    private void refuseUnconnected(FileChannel file, long position) throws IOException {
        if (!Thread.currentThread().isInterrupted()) {
            file.read(ByteBuffer.allocate(0), 0);
            if (position <= file.size() && file.size() > 0) {
                state.connected();
            }
        }
    }

    /** Writes all bytes of a range of an array, in blocking mode. */
    void writeFully(byte[] source, int offset, int length) throws IOException {
        long start = events.beginWrite();
        writeFullyUnrecorded(source, offset, length);
        events.written(start, length);
    }

    private void writeFullyUnrecorded(byte[] source, int offset, int length) throws IOException {
        turn.take();
        try {
            Transport to = state.connected();
            context.requireBlocking();
            refuseIfShut(to);
            writeFully(to, arrays.buffer(source, offset, length));
        } finally {
            single[0] = null;
            turn.leave();
        }
    }

    private void writeFully(Transport to, ByteBuffer left) throws IOException {
        try {
            while (left.hasRemaining()) {
                if (sent(to.write(left)) == 0) {
                    // A gathering write waits even if the thread holds the blocking lock.
                    single[0] = left;
                    sent(to.write(single, 0, 1));
                }
            }
        } catch (IOException e) {
            throw fullWriteFailure(e);
        }
    }

    private void refuseIfShut(Transport to) throws IOException {
        if (state.isOutputShut()) {
            throw to.shutFailure();
        }
    }

    /** Sends a byte of urgent data. The kernel does so even while another thread writes. */
    void sendUrgentData(int data) throws IOException {
        Transport to = state.connected();
        if (to.waitsInKernel()) {
            if (!context.isInterruptible()) {
                refuseIfShut(to);
            }
            to.sendUrgent(data);
            return;
        }
        turn.take();
        try {
            state.connected();
            refuseIfShut(to);
            sendUrgentData(to, data);
        } finally {
            turn.leave();
        }
    }

    private void sendUrgentData(Transport to, int data) throws IOException {
        try {
            to.sendUrgent(data);
        } catch (IOException e) {
            throw writeFailure(e);
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
            context.leaveIfInterrupted();
            if (!context.mayWait()) {
                // The JDK's streams throw another exception, and do not try to write.
                throw new ClosedChannelException();
            }
            to.refuseWrite(some && !context.isBlocking());
        }
        return to;
    }

    /**
     * The exception of a failed write; another one if a thread has shut the output, or closed the channel, meanwhile.
     */
    private IOException writeFailure(IOException e) {
        boolean ended = state.isOutputShut() || !context.isOpen();
        return ended && !(e instanceof ClosedChannelException) ? new AsynchronousCloseException() : e;
    }

    /**
     * As {@link #writeFailure}, but if the output was shut meanwhile, with the exception of an attempt to write the
     * rest.
     */
    private IOException fullWriteFailure(IOException e) {
        IOException failure = writeFailure(e);
        return context.isOpen() && failure instanceof AsynchronousCloseException
                ? new IOException("Broken pipe")
                : failure;
    }
}
