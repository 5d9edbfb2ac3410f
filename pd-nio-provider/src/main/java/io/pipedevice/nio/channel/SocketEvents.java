// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import io.pipedevice.nio.stat.FlightRecording;
import io.pipedevice.nio.transport.BlockingContext;
import io.pipedevice.nio.transport.Transport;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import jdk.internal.access.JavaLangInvokeAccess;
import jdk.internal.access.SharedSecrets;

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
        return FlightRecording.on() && isOurs() ? Methods.begin(Methods.READS, Methods.READ_TIME) : NOT_RECORDED;
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
            Methods.read(start, count, state.remote(), millis);
        }
    }

    /** Begins a write. Returns what {@link #written} needs. */
    long beginWrite() {
        return FlightRecording.on() && isOurs() ? Methods.begin(Methods.WRITES, Methods.WRITE_TIME) : NOT_RECORDED;
    }

    /** A write has returned. */
    void written(long start, long count) {
        if (start != NOT_RECORDED) {
            Methods.written(start, count, state.remote());
        }
    }

    private boolean isOurs() {
        return context.isInterruptible() && state.isConnected() && !state.waitsInKernel();
    }

    /**
     * The methods of the JDK's events; null if this JDK has others, or no agent has exported what finds them. Loaded
     * only where the flight recorder is in use.
     */
    private static final class Methods {
        private static final MethodType OFFER_READ =
                MethodType.methodType(void.class, long.class, long.class, SocketAddress.class, long.class);
        private static final MethodType OFFER_WRITE =
                MethodType.methodType(void.class, long.class, long.class, SocketAddress.class);

        static final MethodHandle READS = find("SocketReadEvent", "enabled", MethodType.methodType(boolean.class));
        static final MethodHandle READ_TIME = find("SocketReadEvent", "timestamp", MethodType.methodType(long.class));
        static final MethodHandle READ = find("SocketReadEvent", "offer", OFFER_READ);
        static final MethodHandle WRITES = find("SocketWriteEvent", "enabled", MethodType.methodType(boolean.class));
        static final MethodHandle WRITE_TIME = find("SocketWriteEvent", "timestamp", MethodType.methodType(long.class));
        static final MethodHandle WRITE = find("SocketWriteEvent", "offer", OFFER_WRITE);
        private static final boolean FOUND = READS != null
                && READ_TIME != null
                && READ != null
                && WRITES != null
                && WRITE_TIME != null
                && WRITE != null;

        private static MethodHandle find(String event, String name, MethodType type) {
            try {
                JavaLangInvokeAccess access = SharedSecrets.getJavaLangInvokeAccess();
                return access.findStatic(Class.forName("jdk.internal.event." + event), name, type);
            } catch (ReflectiveOperationException | LinkageError e) {
                // The calls are not recorded, and work.
                return null;
            }
        }

        static long begin(MethodHandle enabled, MethodHandle time) {
            if (!FOUND) {
                return NOT_RECORDED;
            }
            try {
                return (boolean) enabled.invokeExact() ? (long) time.invokeExact() : NOT_RECORDED;
            } catch (Throwable e) {
                throw unexpected(e);
            }
        }

        static void read(long start, long count, SocketAddress remote, long timeoutMillis) {
            try {
                READ.invokeExact(start, count, remote, timeoutMillis);
            } catch (Throwable e) {
                throw unexpected(e);
            }
        }

        static void written(long start, long count, SocketAddress remote) {
            try {
                WRITE.invokeExact(start, count, remote);
            } catch (Throwable e) {
                throw unexpected(e);
            }
        }

        /** These methods declare no exceptions. */
        private static Error unexpected(Throwable e) {
            return e instanceof Error error ? error : new AssertionError(e);
        }
    }
}
