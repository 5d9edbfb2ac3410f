// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import io.pipedevice.nio.start.FirstChannel;
import io.pipedevice.nio.start.NativeTransports;
import io.pipedevice.nio.start.OffNotice;
import java.lang.instrument.Instrumentation;
import java.nio.channels.spi.SelectorProvider;
import java.util.Map;
import java.util.Set;
import jdk.internal.access.JavaLangAccess;
import jdk.internal.access.SharedSecrets;
import jdk.internal.misc.Unsafe;

/**
 * The work of the agent on a supported Java version. Every JVM pays for this, even one that opens no channel. So it
 * uses no lambda, no reflective call, and no class that can be loaded later.
 */
final class AgentStart {
    private static final String PROVIDER_PROPERTY = "java.nio.channels.spi.SelectorProvider";
    private static final String PROVIDER = "io.pipedevice.nio.PipeDeviceSelectorProvider";
    private static final String ASYNC_PROPERTY = "java.nio.channels.spi.AsynchronousChannelProvider";
    private static final String ASYNC_PROVIDER = "io.pipedevice.nio.PipeDeviceAsynchronousChannelProvider";

    /** Its initialiser reads the property, and creates the provider that the JVM then keeps. */
    private static final String HOLDER = "java.nio.channels.spi.SelectorProvider$Holder";

    private AgentStart() {}

    /**
     * Opens the packages that the provider needs, and makes it the JVM's provider unless the user chose another one.
     *
     * @return the reason if another provider is already in use; null otherwise
     */
    static String start(Instrumentation instrumentation) {
        String report = System.getProperty("pipedevice.report");
        if (report != null) {
            // Clear the property, because an agent that is named twice starts twice.
            System.clearProperty("pipedevice.report");
            LastReport.promise(report, instrumentation);
        }
        String chosen = System.getProperty(PROVIDER_PROPERTY);
        if (chosen != null && !chosen.equals(PROVIDER)) {
            return null;
        }
        Module own = AgentStart.class.getModule();
        Set<Module> us = Set.of(own);
        instrumentation.redefineModule(
                Object.class.getModule(),
                Set.of(),
                Map.of("sun.nio.ch", us, "sun.net", us, "jdk.internal.misc", us, "jdk.internal.access", us),
                Map.of(),
                Set.of(),
                Map.of());
        enableNativeAccess(own);
        System.setProperty(PROVIDER_PROPERTY, PROVIDER);
        if (!otherServes()) {
            if (System.getProperty(ASYNC_PROPERTY) == null) {
                System.setProperty(ASYNC_PROPERTY, ASYNC_PROVIDER);
            }
            String why = wantsSockets() ? SocketHook.install(instrumentation) : null;
            if (why != null) {
                System.err.println("PipeDevice: " + why + ": sockets of java.net stay on kernel TCP, channels do not");
            }
            FirstChannel.runBefore(new FileHook(instrumentation));
            if (!"off".equals(System.getProperty("pipedevice.netty"))) {
                NativeTransports.switchBy(new NettyHook(instrumentation));
            }
            return null;
        }
        String why =
                "a channel was opened before PipeDevice started; name -javaagent:pipedevice-agent.jar before other agents";
        OffNotice.publish(why);
        return why;
    }

    /** Whether the JVM already has another provider than PipeDevice's, because an earlier agent opened a channel. */
    private static boolean otherServes() {
        try {
            Class<?> holder = Class.forName(HOLDER, false, null);
            return !Unsafe.getUnsafe().shouldBeInitialized(holder)
                    && !SelectorProvider.provider().getClass().getName().equals(PROVIDER);
        } catch (ClassNotFoundException e) {
            // This JDK keeps its provider elsewhere. The first channel will show which one it is.
            return false;
        }
    }

    /**
     * Whether the sockets of java.net are to be accelerated. A value that is not allowed is reported by the provider.
     */
    private static boolean wantsSockets() {
        return !"channels".equals(System.getProperty("pipedevice.sockets"));
    }

    private static void enableNativeAccess(Module own) {
        try {
            JavaLangAccess access = SharedSecrets.getJavaLangAccess();
            if (own.isNamed()) {
                access.addEnableNativeAccess(own);
            } else {
                access.addEnableNativeAccessToAllUnnamed();
            }
        } catch (LinkageError e) {
            // The method for a named module is gone since JDK 26. It still works, with the JDK's warning.
            return;
        }
    }
}
