// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.start;

import java.util.List;

/** The packages inside java.base that the provider needs, and the flags by which a user opens them. */
final class JdkPackages {
    /** The JDK's own provider, and the descriptors of its channels. */
    static final String CHANNELS = "sun.nio.ch";

    /** For the memory access of Agrona. */
    static final String MEMORY = "jdk.internal.misc";

    static final List<String> NEEDED = List.of(CHANNELS, MEMORY);

    static final Module BASE = Object.class.getModule();

    /** The module of this code: mostly the unnamed one of the system class loader. */
    static final Module OWN = JdkPackages.class.getModule();

    private JdkPackages() {}

    static boolean open() {
        return open(CHANNELS) && open(MEMORY);
    }

    static boolean open(String name) {
        return BASE.isExported(name, OWN);
    }

    /** The message for the user if the packages are closed. */
    static String closed() {
        String own = OWN.isNamed() ? OWN.getName() : "ALL-UNNAMED";
        StringBuilder message = new StringBuilder("packages of the JDK are closed; start java with")
                .append(" -javaagent:pipedevice-agent.jar, or with");
        for (String name : NEEDED) {
            message.append(" --add-exports=java.base/").append(name).append('=').append(own);
        }
        return message.append(" --enable-native-access=").append(own).toString();
    }
}
