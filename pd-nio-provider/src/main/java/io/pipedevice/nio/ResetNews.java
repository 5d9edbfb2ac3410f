// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.linux.Errno;
import io.pipedevice.nio.stat.Statistics;
import java.io.IOException;
import java.net.SocketException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How the end of a connection on rings is told: as the kernel tells a reset, once, to whoever asks first. A reader that was
 * told hears it again from each read, because the JDK remembers it; nobody else does.
 */
final class ResetNews {
    private enum Told {
        NOBODY,
        READER,
        WRITER
    }

    /** Set by reader and writer; when both find a reset at once either may be the one. */
    private volatile Told told = Told.NOBODY;

    /** Whether it is counted that the peer broke the protocol. */
    private final AtomicBoolean violated = new AtomicBoolean();

    boolean isUntold() {
        return told == Told.NOBODY;
    }

    void toldToWriter() {
        told = Told.WRITER;
    }

    /** Fails if a reader was told. */
    void throwIfRead() throws IOException {
        if (told == Told.READER) {
            throw new SocketException("Connection reset");
        }
    }

    /** What a read says that failed: the end of the stream, or the news. */
    int failRead(PdException failure) throws IOException {
        if (Errno.isExhausted(failure.errno())) {
            throw exhausted(failure);
        }
        countViolation(failure);
        if (told == Told.WRITER) {
            return PdSocket.END_OF_STREAM;
        }
        told = Told.READER;
        throw (IOException) new SocketException("Connection reset").initCause(failure);
    }

    /** What a write says that failed. */
    IOException writeFailure(PdException failure) {
        if (Errno.isExhausted(failure.errno())) {
            return exhausted(failure);
        }
        countViolation(failure);
        if (failure.errno() == Errno.EPIPE || told != Told.NOBODY) {
            return new IOException("Broken pipe", failure);
        }
        told = Told.WRITER;
        return new IOException("Connection reset by peer", failure);
    }

    /** This process lacks something at present, and the connection goes on when it has it. */
    private static IOException exhausted(PdException failure) {
        return new IOException(failure.getMessage(), failure);
    }

    private void countViolation(PdException failure) {
        if (failure.errno() == Errno.EPROTO && !violated.getAndSet(true)) {
            Statistics.violated();
        }
    }
}
