// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import jdk.internal.misc.Unsafe;

/** Makes java.net create its sockets by PipeDevice. Belongs to the thread that starts the agent. */
final class SocketHook {
    private static final String CLASS = "java.net.SocketImpl";

    /** Initialised when the first socket of the JDK's is created. The JVM loads it when the agent patches the JDK. */
    private static final String JDK_SOCKET = "sun.nio.ch.NioSocketImpl";

    /** Whether the JDK was patched, by an agent that is named twice. */
    private static boolean installed;

    private SocketHook() {}

    /**
     * Patches the JDK.
     *
     * @return why that was not possible, and nothing has changed; null if it was
     */
    static String install(Instrumentation instrumentation) {
        if (installed) {
            return null;
        }
        try {
            if (hasJdkSockets(instrumentation)) {
                // A server socket of the JDK's accepts only into sockets of the JDK's.
                return "a socket was opened before PipeDevice started; name -javaagent:pipedevice-agent.jar before other agents";
            }
            Class<?> type = Class.forName(CLASS, false, null);
            byte[] changed = SocketImplPatch.apply(LoadedClass.read(instrumentation, type));
            if (changed == null) {
                return "this JDK, or another agent, creates the sockets of java.net in an unknown way";
            }
            instrumentation.redefineClasses(new ClassDefinition(type, changed));
            installed = true;
            return null;
        } catch (ClassNotFoundException | UnmodifiableClassException | LinkageError | UnsupportedOperationException e) {
            return "the JVM does not let the agent change how the sockets of java.net are created (" + e + ')';
        }
    }

    /** Whether a socket of the JDK's was created in this JVM. */
    static boolean hasJdkSockets(Instrumentation instrumentation) {
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            if (loaded.getName().equals(JDK_SOCKET)) {
                return !Unsafe.getUnsafe().shouldBeInitialized(loaded);
            }
        }
        return false;
    }
}
