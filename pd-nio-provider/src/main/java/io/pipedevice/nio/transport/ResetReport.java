// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.transport;

import io.pipedevice.lib.PdException;
import io.pipedevice.lib.PdSocket;
import io.pipedevice.linux.Errno;
import io.pipedevice.nio.stat.Statistics;
import java.io.IOException;
import java.net.SocketException;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Reports the end of a connection on rings as the kernel reports a reset: once, to the read or write that finds it
 * first. As with the JDK, if a read was the first, each later read reports it again; otherwise later calls find the end
 * of the stream, or a broken pipe. Thread safe.
 */
final class ResetReport {
    private enum Reported {
        TO_NOBODY,
        TO_READER,
        TO_WRITER
    }

    /** Set by reader and writer; if both find a reset at once, either may be the first. */
    private volatile Reported reported = Reported.TO_NOBODY;

    /** Whether the peer's violation of the protocol has been counted. */
    private final AtomicBoolean violated = new AtomicBoolean();

    boolean isUnreported() {
        return reported == Reported.TO_NOBODY;
    }

    void reportedToWriter() {
        reported = Reported.TO_WRITER;
    }

    /** Fails if a reset was reported to a read. */
    void throwIfReported() throws IOException {
        if (reported == Reported.TO_READER) {
            throw new SocketException("Connection reset");
        }
    }

    /** Returns the end of the stream for a read that failed, or reports the failure. */
    int failRead(PdException failure) throws IOException {
        if (isOfThisProcess(failure)) {
            throw new IOException(failure.getMessage(), failure);
        }
        countViolation(failure);
        if (reported == Reported.TO_WRITER) {
            return PdSocket.END_OF_STREAM;
        }
        reported = Reported.TO_READER;
        throw (IOException) new SocketException("Connection reset").initCause(failure);
    }

    /** The exception that reports the failure of a write. */
    IOException writeFailure(PdException failure) {
        if (isOfThisProcess(failure)) {
            return new IOException(failure.getMessage(), failure);
        }
        countViolation(failure);
        if (failure.errno() == Errno.EPIPE || reported != Reported.TO_NOBODY) {
            return new IOException("Broken pipe", failure);
        }
        reported = Reported.TO_WRITER;
        return new IOException("Connection reset by peer", failure);
    }

    /**
     * Whether a failure is not one of the connection, which goes on: this process lacks memory or descriptors at
     * present, or the memory of the program's buffer is not there.
     */
    private static boolean isOfThisProcess(PdException failure) {
        return Errno.isExhausted(failure.errno()) || failure.errno() == Errno.EFAULT;
    }

    private void countViolation(PdException failure) {
        if (failure.errno() == Errno.EPROTO && !violated.getAndSet(true)) {
            Statistics.violated();
        }
    }
}
