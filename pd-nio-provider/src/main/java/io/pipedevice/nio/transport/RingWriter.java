// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

import io.pipedevice.lib.ByteSource;
import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdStream;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.Gather;
import io.pipedevice.nio.stat.ConnectionRecord;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;

/** The writing side of a connection on rings. All methods but {@link #shutdown} belong to the writing thread. */
final class RingWriter {
    private final BlockingContext context;
    private final PdStream socket;
    private final ResetReport resets;
    private final ConnectionRecord record;

    private volatile boolean shut;

    /** For a write of one buffer that has to wait. */
    private final ByteBuffer[] single = new ByteBuffer[1];

    RingWriter(BlockingContext context, PdStream socket, ResetReport resets, ConnectionRecord record) {
        this.context = context;
        this.socket = socket;
        this.resets = resets;
        this.record = record;
    }

    /**
     * Writes everything in blocking mode, unless by a virtual thread: as with the JDK's channels, that waits until
     * there is room, and writes as much as there is room for. In non-blocking mode, or if the thread must not wait,
     * writes that without waiting.
     */
    int write(ByteBuffer source) throws IOException {
        OpenArena.check(source);
        boolean waits = context.isBlocking();
        int before = source.position();
        if (context.mayTry()) {
            tryWrite(source, waits);
            if (!waits || !source.hasRemaining() || isEnough(source.position() - before)) {
                return source.position() - before;
            }
        }
        if (!context.mayWait()) {
            return source.position() - before;
        }
        single[0] = source;
        try {
            return (int) waitAndWrite(single, 0, 1, source.position() - before);
        } finally {
            single[0] = null;
        }
    }

    /** Whether the output was not shut. */
    boolean hasOutput() {
        return !shut;
    }

    /** Fails after the output was shut, as a transfer of a file does. */
    void requireOutputForFile() throws AsynchronousCloseException {
        if (shut) {
            throw new AsynchronousCloseException();
        }
    }

    long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        OpenArena.check(sources, offset, length);
        boolean waits = context.isBlocking();
        long all = Gather.remaining(sources, offset, length);
        long taken = 0;
        if (context.mayTry()) {
            taken = tryWrite(sources, offset, length, all, waits);
            if (!waits || taken == all || isEnough(taken)) {
                return taken;
            }
        }
        // A thread that holds the blocking lock waits here, too: no stream of the JDK gathers.
        return waitAndWrite(sources, offset, length, taken);
    }

    /** Whether a blocking write of the calling thread may return, although there is more to write. */
    private static boolean isEnough(long taken) {
        return taken > 0 && Thread.currentThread().isVirtual();
    }

    /**
     * Writes the rest, unless the channel is closed meanwhile; returns the number of bytes written, including
     * {@code before}.
     */
    private long waitAndWrite(ByteBuffer[] sources, int offset, int length, long before) throws IOException {
        long taken = before;
        long left = Gather.remaining(sources, offset, length);
        boolean waited = false;
        context.enter();
        try {
            while (left > 0 && context.isOpen()) {
                requireOutput();
                taken += socket.write(sources, offset, length);
                left = Gather.remaining(sources, offset, length);
                // Checked before the wait: the peer may read on only after this write has returned.
                if (left == 0 || isEnough(taken)) {
                    break;
                }
                if (!waited) {
                    record.writeWaits();
                    waited = true;
                }
                await();
            }
        } catch (IOException e) {
            taken += left - Gather.remaining(sources, offset, length);
            if (taken == 0) {
                throw e instanceof PdException refusal ? resets.writeFailure(refusal) : e;
            }
            // The bytes that were taken count. The next write finds the same failure, and reports it.
        } finally {
            context.exit(taken > 0 || left == 0);
        }
        return taken;
    }

    /** Writes bytes of a source for which there is room. */
    long put(ByteSource source, long from, long most) throws IOException {
        requireOutput();
        try {
            return socket.write(source, from, most);
        } catch (PdException e) {
            throw resets.writeFailure(e);
        }
    }

    /** Whether the stream has made room for a thread that does not wait. */
    boolean makesRoom() {
        return socket.makesRoom();
    }

    private void tryWrite(ByteBuffer source, boolean waits) throws IOException {
        if (!source.hasRemaining()) {
            // The JDK makes no system call for an empty buffer, and so finds no reset.
            return;
        }
        requireOutput();
        int before = source.position();
        try {
            socket.write(source);
            if (!waits && source.hasRemaining()) {
                insist(source);
            }
        } catch (PdException e) {
            if ((waits && e.errno() != Errno.EFAULT) || source.position() == before) {
                throw resets.writeFailure(e);
            }
            // The bytes that were taken count. The next write finds the same failure, and reports it.
        }
    }

    /** Writes more if the stream makes room, which it does for a program that does not wait. */
    private void insist(ByteBuffer source) throws PdException {
        while (socket.makesRoom()) {
            socket.write(source);
            if (!source.hasRemaining()) {
                return;
            }
        }
        record.writeIsCutShort();
    }

    private long tryWrite(ByteBuffer[] sources, int offset, int length, long all, boolean waits) throws IOException {
        if (all == 0) {
            return 0;
        }
        requireOutput();
        try {
            long taken = socket.write(sources, offset, length);
            return waits || taken == all ? taken : taken + insist(sources, offset, length, all - taken);
        } catch (PdException e) {
            long taken = all - Gather.remaining(sources, offset, length);
            if (taken == 0) {
                throw resets.writeFailure(e);
            }
            return taken;
        }
    }

    private long insist(ByteBuffer[] sources, int offset, int length, long all) throws PdException {
        long taken = 0;
        while (socket.makesRoom()) {
            taken += socket.write(sources, offset, length);
            if (taken == all) {
                return taken;
            }
        }
        record.writeIsCutShort();
        return taken;
    }

    private void requireOutput() throws IOException {
        if (shut) {
            throw brokenPipe();
        }
    }

    /** Sends a byte of urgent data, which waits for room only if the peer wants it in its stream. */
    void sendUrgent(int data) throws IOException {
        requireOutput();
        if (socket.peerTakesUrgent()) {
            // A gathering write waits even if the thread holds the blocking lock.
            ByteBuffer[] one = {ByteBuffer.wrap(new byte[] {(byte) data})};
            if (write(one, 0, 1) == 0) {
                throw new IOException("Socket buffer full");
            }
            record.sent(1);
            return;
        }
        try {
            socket.offerUrgent((byte) data);
        } catch (PdException e) {
            throw resets.writeFailure(e);
        }
    }

    /**
     * Attempts a write after the output was shut. The write fails in any case. But the JDK attempts it in non-blocking
     * mode, so that a reset is reported to it.
     */
    void writeInVain() {
        if (resets.isUnreported()) {
            try {
                socket.write(ByteBuffer.allocate(0));
            } catch (PdException e) {
                if (e.errno() == Errno.ECONNRESET) {
                    resets.reportedToWriter();
                }
            }
        }
    }

    /** The failure of a write that is tried after the output was shut. */
    IOException shutFailure() {
        try {
            socket.write(ByteBuffer.allocate(0));
        } catch (PdException e) {
            return resets.writeFailure(e);
        }
        return brokenPipe();
    }

    private static IOException brokenPipe() {
        return new IOException("Broken pipe");
    }

    /** Waits for room; returns at once if the channel is being closed. */
    private void await() {
        awaitRoom(Transport.FOREVER);
    }

    /** Waits for room, with a limit; returns at once if the channel is being closed. */
    void awaitRoom(long timeoutNs) {
        try {
            socket.awaitWritable(timeoutNs);
        } catch (PdException e) {
            // The next attempt fails too, and reports the failure.
            return;
        }
    }

    /** Refuses further writes, and makes a waiting writer leave. Any thread may call. */
    void shutdown() {
        shut = true;
        socket.stopWrites();
    }
}
