// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.jdk.Jdk;
import io.pipedevice.nio.stat.FlightRecording;
import io.pipedevice.nio.transport.BlockingContext;
import io.pipedevice.nio.transport.Transport;
import java.util.concurrent.TimeUnit;

/**
 * The flight recorder's events of the reads and writes of a channel on rings: those that the JDK has for its own
 * channels and their adaptors. Calls of a channel on the kernel are recorded by the JDK's channel below it, and those
 * of a socket of java.net by its streams. Thread safe.
 */
final class SocketEvents {
    /** The start of a call that is not recorded. */
    private static final long NOT_RECORDED = Long.MIN_VALUE;

    private final BlockingContext context;
    private final SocketState state;

    SocketEvents(BlockingContext context, SocketState state) {
        this.context = context;
        this.state = state;
    }

    /** Begins a read. Returns what {@link #read} needs. */
    long beginRead() {
        SocketRecorder recorder = recorder();
        return recorder != null && recorder.recordsReads() ? recorder.time() : NOT_RECORDED;
    }

    /**
     * A read has returned.
     *
     * @param count its result
     * @param timeoutNs the longest time that it might have waited; {@link Transport#FOREVER} for no limit
     */
    void read(long start, long count, long timeoutNs) {
        if (start != NOT_RECORDED) {
            long millis = timeoutNs == Transport.FOREVER ? 0 : TimeUnit.NANOSECONDS.toMillis(timeoutNs);
            Recorder.OF_JDK.read(start, count, state.remote(), millis);
        }
    }

    /** Begins a write. Returns what {@link #written} needs. */
    long beginWrite() {
        SocketRecorder recorder = recorder();
        return recorder != null && recorder.recordsWrites() ? recorder.time() : NOT_RECORDED;
    }

    /** A write has returned. */
    void written(long start, long count) {
        if (start != NOT_RECORDED) {
            Recorder.OF_JDK.written(start, count, state.remote());
        }
    }

    /** Null if a call is not recorded here. */
    private SocketRecorder recorder() {
        return FlightRecording.on() && isOurs() ? Recorder.OF_JDK : null;
    }

    private boolean isOurs() {
        return context.isInterruptible() && state.isConnected() && !state.waitsInKernel();
    }

    /** Initialized only where the flight recorder is in use. */
    private static final class Recorder {
        /** Null if this JDK's events are others. */
        static final SocketRecorder OF_JDK =
                Jdk.CHANNELS_CALL_THEIR_EVENTS ? MirrorEvents.find() : InstrumentedEvents.find();
    }
}
