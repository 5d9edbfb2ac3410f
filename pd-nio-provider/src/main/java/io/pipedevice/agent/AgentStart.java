// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import java.lang.instrument.Instrumentation;
import java.util.Map;
import java.util.Set;
import jdk.internal.access.JavaLangAccess;
import jdk.internal.access.SharedSecrets;

/**
 * What the agent does on a Java that is young enough. Every JVM pays for this, also one that opens no channel: no lambda,
 * no reflection, and no class that can wait.
 */
final class AgentStart {
    private static final String PROVIDER_PROPERTY = "java.nio.channels.spi.SelectorProvider";
    private static final String PROVIDER = "io.pipedevice.nio.PipeDeviceSelectorProvider";

    private AgentStart() {}

    /** Opens what the provider needs, and makes it the JVM's provider unless the user chose another one. */
    static void start(Instrumentation instrumentation) {
        String report = System.getProperty("pipedevice.report");
        if (report != null) {
            // An agent that is named twice starts twice.
            System.clearProperty("pipedevice.report");
            LastReport.promise(report, instrumentation);
        }
        String chosen = System.getProperty(PROVIDER_PROPERTY);
        if (chosen != null && !chosen.equals(PROVIDER)) {
            return;
        }
        Module own = AgentStart.class.getModule();
        Set<Module> us = Set.of(own);
        instrumentation.redefineModule(
                Object.class.getModule(),
                Set.of(),
                Map.of("sun.nio.ch", us, "jdk.internal.misc", us, "jdk.internal.access", us),
                Map.of(),
                Set.of(),
                Map.of());
        enableNativeAccess(own);
        System.setProperty(PROVIDER_PROPERTY, PROVIDER);
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
            // A JDK that has this under another name still works; it only prints its warning about native access.
            return;
        }
    }
}
