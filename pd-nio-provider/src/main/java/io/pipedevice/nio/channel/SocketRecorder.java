// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.lang.invoke.MethodHandle;
import java.net.SocketAddress;

/**
 * The flight recorder's events of reads and writes, as this JDK makes them for its own channels. Thread safe. A record,
 * whose fields the compiler takes for constants.
 *
 * @param reads whether reads are recorded: {@code boolean ()}
 * @param writes whether writes are recorded: {@code boolean ()}
 * @param now the recorder's time: {@code long ()}
 * @param read records a read that began at a time, if it took as long as the recording asks for: {@code void (start,
 *     count, remote, timeoutMillis)}
 * @param written records a write likewise: {@code void (start, count, remote)}
 */
record SocketRecorder(
        MethodHandle reads, MethodHandle writes, MethodHandle now, MethodHandle read, MethodHandle written) {
    /** A recorder of these methods; null if one of them is, because this JDK has others. */
    static SocketRecorder of(
            MethodHandle reads, MethodHandle writes, MethodHandle now, MethodHandle read, MethodHandle written) {
        boolean found = reads != null && writes != null && now != null && read != null && written != null;
        return found ? new SocketRecorder(reads, writes, now, read, written) : null;
    }

    boolean recordsReads() {
        try {
            return (boolean) reads.invokeExact();
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    boolean recordsWrites() {
        try {
            return (boolean) writes.invokeExact();
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    long time() {
        try {
            return (long) now.invokeExact();
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    void read(long start, long count, SocketAddress remote, long timeoutMillis) {
        try {
            read.invokeExact(start, count, remote, timeoutMillis);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    void written(long start, long count, SocketAddress remote) {
        try {
            written.invokeExact(start, count, remote);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    /** The recorder's methods declare no exceptions. */
    private static Error unexpected(Throwable e) {
        return e instanceof Error error ? error : new AssertionError(e);
    }
}
