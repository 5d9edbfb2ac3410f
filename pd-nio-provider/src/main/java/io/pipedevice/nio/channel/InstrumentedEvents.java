// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.channel;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import jdk.internal.access.JavaLangInvokeAccess;
import jdk.internal.access.SharedSecrets;

/**
 * The events of a JDK whose flight recorder changes the channels while it records, as in 21. Loaded only where the
 * flight recorder is in use.
 */
final class InstrumentedEvents {
    private static final MethodType COMMIT_READ = MethodType.methodType(
            void.class,
            long.class,
            long.class,
            String.class,
            String.class,
            int.class,
            long.class,
            long.class,
            boolean.class);
    private static final MethodType COMMIT_WRITE = MethodType.methodType(
            void.class, long.class, long.class, String.class, String.class, int.class, long.class);
    private static final MethodType OFFER_READ =
            MethodType.methodType(void.class, long.class, long.class, SocketAddress.class, long.class);
    private static final MethodType OFFER_WRITE =
            MethodType.methodType(void.class, long.class, long.class, SocketAddress.class);
    private static final String SETTINGS = "jdk.jfr.internal.event.EventConfiguration";

    private static final MethodHandle READS = setting("SOCKET_READ", "isEnabled", boolean.class);
    private static final MethodHandle READ_IS_LONG = setting("SOCKET_READ", "shouldCommit", boolean.class, long.class);
    private static final MethodHandle READ = find("jdk.jfr.events.SocketReadEvent", "commit", COMMIT_READ);
    private static final MethodHandle WRITES = setting("SOCKET_WRITE", "isEnabled", boolean.class);
    private static final MethodHandle WRITE_IS_LONG =
            setting("SOCKET_WRITE", "shouldCommit", boolean.class, long.class);
    private static final MethodHandle WRITE = find("jdk.jfr.events.SocketWriteEvent", "commit", COMMIT_WRITE);
    private static final MethodHandle NOW = find(SETTINGS, "timestamp", MethodType.methodType(long.class));

    private InstrumentedEvents() {}

    /** The events; null if this JDK has others, or no agent has exported what finds them. */
    static SocketRecorder find() {
        boolean found = READ_IS_LONG != null && READ != null && WRITE_IS_LONG != null && WRITE != null;
        return found
                ? SocketRecorder.of(READS, WRITES, NOW, own("read", OFFER_READ), own("written", OFFER_WRITE))
                : null;
    }

    /** A method of this class. */
    private static MethodHandle own(String name, MethodType type) {
        try {
            return MethodHandles.lookup().findStatic(InstrumentedEvents.class, name, type);
        } catch (ReflectiveOperationException e) {
            throw new LinkageError(name, e);
        }
    }

    private static MethodHandle find(String owner, String name, MethodType type) {
        try {
            return access().findStatic(Class.forName(owner), name, type);
        } catch (ReflectiveOperationException | LinkageError e) {
            // The calls are not recorded, and work.
            return null;
        }
    }

    /** A method of the settings of an event. */
    private static MethodHandle setting(String event, String name, Class<?> result, Class<?>... parameters) {
        try {
            Object settings = access().unreflectField(
                            Class.forName("jdk.jfr.events.EventConfigurations").getField(event), false)
                    .invoke();
            return settings == null
                    ? null
                    : access().findVirtual(Class.forName(SETTINGS), name, MethodType.methodType(result, parameters))
                            .bindTo(settings);
        } catch (Throwable e) {
            // The calls are not recorded, and work.
            return null;
        }
    }

    private static JavaLangInvokeAccess access() {
        return SharedSecrets.getJavaLangInvokeAccess();
    }

    @SuppressWarnings("UnusedMethod") // by a method handle
    private static void read(long start, long count, SocketAddress remote, long timeoutMillis) throws Throwable {
        long duration = (long) NOW.invokeExact() - start;
        if ((boolean) READ_IS_LONG.invokeExact(duration)) {
            InetSocketAddress to = (InetSocketAddress) remote;
            String address = to.getAddress().getHostAddress();
            READ.invokeExact(
                    start, duration, host(to), address, to.getPort(), timeoutMillis, Math.max(0, count), count < 0);
        }
    }

    @SuppressWarnings("UnusedMethod") // as above
    private static void written(long start, long count, SocketAddress remote) throws Throwable {
        long duration = (long) NOW.invokeExact() - start;
        if ((boolean) WRITE_IS_LONG.invokeExact(duration)) {
            InetSocketAddress to = (InetSocketAddress) remote;
            String address = to.getAddress().getHostAddress();
            WRITE.invokeExact(start, duration, host(to), address, to.getPort(), Math.max(0, count));
        }
    }

    /** The name of an address if it is known without a look-up, else nothing. */
    private static String host(InetSocketAddress address) {
        String nameAndNumber = address.getAddress().toString();
        return nameAndNumber.substring(0, nameAndNumber.indexOf('/'));
    }
}
