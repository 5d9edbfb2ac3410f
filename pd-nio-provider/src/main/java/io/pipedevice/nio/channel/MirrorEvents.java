// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;
import java.net.SocketAddress;
import jdk.internal.access.JavaLangInvokeAccess;
import jdk.internal.access.SharedSecrets;

/**
 * The events of a JDK whose channels call them: static methods of classes in {@code java.base}. Loaded only where the
 * flight recorder is in use.
 */
final class MirrorEvents implements SocketRecorder {
    private static final MethodType OFFER_READ =
            MethodType.methodType(void.class, long.class, long.class, SocketAddress.class, long.class);
    private static final MethodType OFFER_WRITE =
            MethodType.methodType(void.class, long.class, long.class, SocketAddress.class);
    private static final MethodType IS_ENABLED = MethodType.methodType(boolean.class);
    private static final MethodType TIME = MethodType.methodType(long.class);

    private static final MethodHandle READS = find("SocketReadEvent", "enabled", IS_ENABLED);
    private static final MethodHandle READ = find("SocketReadEvent", "offer", OFFER_READ);
    private static final MethodHandle WRITES = find("SocketWriteEvent", "enabled", IS_ENABLED);
    private static final MethodHandle WRITE = find("SocketWriteEvent", "offer", OFFER_WRITE);
    private static final MethodHandle NOW = find("SocketReadEvent", "timestamp", TIME);

    private MirrorEvents() {}

    /** The events; null if this JDK has others, or no agent has exported what finds them. */
    static MirrorEvents find() {
        boolean found = READS != null && READ != null && WRITES != null && WRITE != null && NOW != null;
        return found ? new MirrorEvents() : null;
    }

    private static MethodHandle find(String event, String name, MethodType type) {
        try {
            JavaLangInvokeAccess access = SharedSecrets.getJavaLangInvokeAccess();
            return access.findStatic(Class.forName("jdk.internal.event." + event), name, type);
        } catch (ReflectiveOperationException | LinkageError e) {
            // The calls are not recorded, and work.
            return null;
        }
    }

    @Override
    public boolean recordsReads() {
        try {
            return (boolean) READS.invokeExact();
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    @Override
    public boolean recordsWrites() {
        try {
            return (boolean) WRITES.invokeExact();
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    @Override
    public long time() {
        try {
            return (long) NOW.invokeExact();
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    @Override
    public void read(long start, long count, SocketAddress remote, long timeoutMillis) {
        try {
            READ.invokeExact(start, count, remote, timeoutMillis);
        } catch (Throwable e) {
            throw unexpected(e);
        }
    }

    @Override
    public void written(long start, long count, SocketAddress remote) {
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
