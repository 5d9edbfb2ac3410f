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
final class MirrorEvents {
    private static final MethodType OFFER_READ =
            MethodType.methodType(void.class, long.class, long.class, SocketAddress.class, long.class);
    private static final MethodType OFFER_WRITE =
            MethodType.methodType(void.class, long.class, long.class, SocketAddress.class);
    private static final MethodType IS_ENABLED = MethodType.methodType(boolean.class);
    private static final MethodType TIME = MethodType.methodType(long.class);

    private MirrorEvents() {}

    /** The events; null if this JDK has others, or no agent has exported what finds them. */
    static SocketRecorder find() {
        return SocketRecorder.of(
                find("SocketReadEvent", "enabled", IS_ENABLED),
                find("SocketWriteEvent", "enabled", IS_ENABLED),
                find("SocketReadEvent", "timestamp", TIME),
                find("SocketReadEvent", "offer", OFFER_READ),
                find("SocketWriteEvent", "offer", OFFER_WRITE));
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
}
