// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdStream;
import io.pipedevice.lib.SpinMode;
import io.pipedevice.memory.Gather;
import io.pipedevice.wait.Processors;
import java.io.IOException;
import java.nio.ByteBuffer;

/** The reading side of a connection on rings. All methods but {@link #available} belong to the reading thread. */
final class RingReader {
    /**
     * The number of attempts of a read before it prepares to wait. The preparation takes as long as an answer of the
     * peer.
     */
    private static final int TRIES = SpinMode.inUse() == SpinMode.NEVER ? 0 : 64;

    /** The attempts that are made although other threads want the processor: fewer than half a microsecond takes. */
    private static final int FREE_TRIES = 4;

    private final BlockingContext context;
    private final PdStream socket;
    private final ResetReport resets;

    RingReader(BlockingContext context, PdStream socket, ResetReport resets) {
        this.context = context;
        this.socket = socket;
        this.resets = resets;
    }

    /**
     * Reads.
     *
     * @param mayBeStream whether the call returns 0 if it would have to wait but the thread must not
     */
    int read(ByteBuffer target, long timeoutNs, boolean mayBeStream) throws IOException {
        requireWritable(target);
        OpenArena.check(target);
        boolean waits = context.isBlocking();
        if (context.mayTry()) {
            int length = tryRead(target);
            for (int i = 0; length == 0 && waits && i < TRIES && target.hasRemaining(); i++) {
                if (i == FREE_TRIES && Processors.OF_MACHINE.areWanted(System.nanoTime())) {
                    break;
                }
                Thread.onSpinWait();
                length = tryRead(target);
            }
            if (length != 0 || !waits || !target.hasRemaining()) {
                return length;
            }
        }
        return mayBeStream && !context.mayWait() ? 0 : waitAndRead(target, timeoutNs);
    }

    /** Refuses a read-only buffer. An interrupt and a reset are reported first, as with the JDK. */
    private void requireWritable(ByteBuffer target) throws IOException {
        if (target.isReadOnly()) {
            context.leaveIfInterrupted();
            resets.throwIfReported();
            throw new IllegalArgumentException("Read-only buffer");
        }
    }

    private int waitAndRead(ByteBuffer target, long timeoutNs) throws IOException {
        int length = 0;
        CallTimeout timeout = new CallTimeout(timeoutNs, "Read");
        context.enter();
        try {
            while (length == 0 && context.isOpen()) {
                await(timeout.left());
                length = tryRead(target);
            }
        } finally {
            context.exit(length > 0);
        }
        return length;
    }

    /** Waits for data, or for the timeout; returns at once if the channel is being closed. */
    private void await(long timeoutNs) {
        try {
            socket.awaitReadable(timeoutNs);
        } catch (PdException e) {
            // The next attempt fails too, and reports the failure.
            return;
        }
    }

    private int tryRead(ByteBuffer target) throws IOException {
        resets.throwIfReported();
        try {
            return socket.read(target);
        } catch (PdException e) {
            return resets.failRead(e);
        }
    }

    long read(ByteBuffer[] targets, int offset, int length) throws IOException {
        for (int i = offset; i < offset + length; i++) {
            requireWritable(targets[i]);
        }
        OpenArena.check(targets, offset, length);
        if (Gather.remaining(targets, offset, length) == 0) {
            context.leaveIfInterrupted();
            resets.throwIfReported();
            return 0;
        }
        long sum = 0;
        for (int i = offset; i < offset + length; i++) {
            if (!targets[i].hasRemaining()) {
                continue;
            }
            int count;
            if (sum == 0) {
                // A thread that holds the blocking lock waits here, too: no stream of the JDK scatters.
                count = read(targets[i], Transport.FOREVER, false);
            } else {
                count = available() == 0 ? 0 : tryMore(targets[i]);
            }
            if (count <= 0) {
                return sum == 0 ? count : sum;
            }
            sum += count;
            if (targets[i].hasRemaining()) {
                break;
            }
        }
        return sum;
    }

    /** Reads more. A failure is not reported, because bytes were read already. */
    private int tryMore(ByteBuffer target) {
        try {
            return socket.read(target);
        } catch (PdException e) {
            // The next read finds the same failure, and reports it.
            return 0;
        }
    }

    /** Bytes that can be read without waiting. */
    int available() {
        try {
            return socket.available();
        } catch (PdException e) {
            // As with the kernel, the next read reports the failure.
            return 0;
        }
    }
}
