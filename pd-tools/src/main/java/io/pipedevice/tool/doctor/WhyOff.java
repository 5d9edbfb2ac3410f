// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.tool.doctor;

/** Finds out why PipeDevice does not work in a JVM: from its counters, else from its version and its options. */
final class WhyOff {
    private static final String PROVIDER_PROPERTY = "java.nio.channels.spi.SelectorProvider";
    private static final String PROVIDER = "io.pipedevice.nio.PipeDeviceSelectorProvider";
    private static final int NEEDED_JAVA = 21;

    private WhyOff() {}

    /** The reason for which PipeDevice does not work in a JVM; null if it works, or if that cannot be known. */
    static Finding of(JvmFacts jvm) {
        if (jvm.stat() != null) {
            String why = jvm.stat().whyOff();
            return why.isEmpty() ? null : Finding.problem("off", why);
        }
        if (jvm.isOfAnotherVersion()) {
            return null;
        }
        int java = jvm.javaMajor();
        if (java != 0 && java < NEEDED_JAVA) {
            return Finding.problem(
                    "java-version", "PipeDevice needs Java " + NEEDED_JAVA + " or later; start the program with one");
        }
        if ("false".equals(jvm.options().property("pipedevice.enabled"))) {
            return Finding.problem("disabled", "-Dpipedevice.enabled=false switches PipeDevice off; remove it");
        }
        String provider = jvm.options().property(PROVIDER_PROPERTY);
        if (provider != null && !provider.equals(PROVIDER)) {
            return Finding.problem(
                    "other-provider",
                    "-D" + PROVIDER_PROPERTY + "=" + provider.replaceAll("\\P{Print}", "?")
                            + " replaces PipeDevice's provider; remove it");
        }
        return provider != null || jvm.options().hasAgent()
                ? null
                : Finding.problem(
                        "no-pipedevice",
                        "PipeDevice is not in this JVM; start it with -javaagent:pipedevice-agent.jar");
    }
}
