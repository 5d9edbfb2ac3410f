// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdStream;
import io.pipedevice.linux.Errno;
import io.pipedevice.memory.Gather;
import io.pipedevice.nio.stat.ConnectionRecord;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The writing side of a connection on rings; all but {@link #shutdown} is the writing thread's. */
final class RingWriter {
    private final BlockingContext context;
    private final PdStream socket;
    private final ResetNews news;
    private final ConnectionRecord record;

    private volatile boolean shut;

    /** For a write of one buffer that has to wait. */
    private final ByteBuffer[] single = new ByteBuffer[1];

    RingWriter(BlockingContext context, PdStream socket, ResetNews news, ConnectionRecord record) {
        this.context = context;
        this.socket = socket;
        this.news = news;
        this.record = record;
    }

    /** Writes everything in blocking mode, but what there is room for if the thread must not wait. */
    int write(ByteBuffer source) throws IOException {
        OpenArena.check(source);
        boolean waits = context.isBlocking();
        int before = source.position();
        if (!waits || !Thread.currentThread().isInterrupted()) {
            tryWrite(source, waits);
            if (!waits || !source.hasRemaining()) {
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

    long write(ByteBuffer[] sources, int offset, int length) throws IOException {
        OpenArena.check(sources, offset, length);
        boolean waits = context.isBlocking();
        long all = Gather.remaining(sources, offset, length);
        long taken = 0;
        if (!waits || !Thread.currentThread().isInterrupted()) {
            taken = tryWrite(sources, offset, length, all, waits);
            if (!waits || taken == all) {
                return taken;
            }
        }
        // Also by a thread that holds the blocking lock: no stream of the JDK's gathers.
        return waitAndWrite(sources, offset, length, taken);
    }

    /** Writes what is left, unless the channel is closed meanwhile; returns how much is written with what was before. */
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
                if (left > 0) {
                    if (!waited) {
                        record.writeWaits();
                        waited = true;
                    }
                    await();
                }
            }
        } catch (IOException e) {
            taken += left - Gather.remaining(sources, offset, length);
            if (taken == 0) {
                throw e instanceof PdException refusal ? news.writeFailure(refusal) : e;
            }
            // What was taken counts; the next write finds the same, and is told.
        } finally {
            context.exit(taken > 0 || left == 0);
        }
        return taken;
    }

    private void tryWrite(ByteBuffer source, boolean waits) throws IOException {
        if (!source.hasRemaining()) {
            // The JDK does not ask the kernel for nothing, and so hears no bad news.
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
            if (waits || source.position() == before) {
                throw news.writeFailure(e);
            }
            // What was taken counts; the next write finds the same, and is told.
        }
    }

    /** Writes more where there is no room, but may be some for a program that does not wait. */
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
                throw news.writeFailure(e);
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
            throw new IOException("Broken pipe");
        }
    }

    void sendUrgent() throws IOException {
        requireOutput();
        try {
            socket.sendUrgent();
        } catch (PdException e) {
            throw news.writeFailure(e);
        }
    }

    /**
     * A write after the output was shut. It fails anyhow, but the JDK makes it in non-blocking mode, and so it is told of a
     * reset, which nobody is told twice.
     */
    void writeInVain() {
        if (news.isUntold()) {
            try {
                socket.write(ByteBuffer.allocate(0));
            } catch (PdException e) {
                if (e.errno() == Errno.ECONNRESET) {
                    news.toldToWriter();
                }
            }
        }
    }

    /** Waits for room; returns at once if the channel is being closed. */
    private void await() {
        try {
            socket.awaitWritable(Transport.FOREVER);
        } catch (PdException e) {
            // The next try has the right words.
            return;
        }
    }

    /** No more is written, and a writer that waits leaves. Any thread. */
    void shutdown() {
        shut = true;
        socket.stopWrites();
    }
}
