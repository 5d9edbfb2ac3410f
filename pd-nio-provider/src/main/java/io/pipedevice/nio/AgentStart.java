// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio;

import java.lang.instrument.Instrumentation;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import jdk.internal.access.JavaLangAccess;
import jdk.internal.access.SharedSecrets;

/** What the agent does on a Java that is young enough. It is called by reflection, see there. */
final class AgentStart {
    private static final String PROVIDER_PROPERTY = "java.nio.channels.spi.SelectorProvider";
    private static final String ACCESS = "jdk.internal.access";

    private AgentStart() {}

    /** Opens what the provider needs, and makes it the JVM's provider unless the user chose another one. */
    static void start(Instrumentation instrumentation) {
        if (System.getProperty(PROVIDER_PROPERTY) != null) {
            return;
        }
        Map<String, Set<Module>> exports = HashMap.newHashMap(JdkPackages.NEEDED.size() + 1);
        JdkPackages.NEEDED.forEach(name -> exports.put(name, Set.of(JdkPackages.OWN)));
        exports.put(ACCESS, Set.of(JdkPackages.OWN));
        instrumentation.redefineModule(JdkPackages.BASE, Set.of(), exports, Map.of(), Set.of(), Map.of());
        enableNativeAccess();
        System.setProperty(PROVIDER_PROPERTY, PipeDeviceSelectorProvider.class.getName());
    }

    private static void enableNativeAccess() {
        try {
            JavaLangAccess access = SharedSecrets.getJavaLangAccess();
            if (JdkPackages.OWN.isNamed()) {
                access.addEnableNativeAccess(JdkPackages.OWN);
            } else {
                access.addEnableNativeAccessToAllUnnamed();
            }
        } catch (LinkageError e) {
            // A JDK that has this under another name still works; it only prints its warning about native access.
            return;
        }
    }
}
