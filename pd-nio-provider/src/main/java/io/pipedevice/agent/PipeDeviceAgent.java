// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;

/**
 * The entry point of {@code -javaagent:pipedevice-agent.jar}. It never fails, because a JVM whose agent fails does not
 * start.
 *
 * <p>This class is compiled for Java 8, so that an older JVM can load it and report what is missing. So is
 * {@link JarMain}; all other classes are compiled for the Java version that PipeDevice needs, and are not loaded before
 * that version was checked.
 */
public final class PipeDeviceAgent {
    private static final int NEEDED_JAVA = 21;

    private PipeDeviceAgent() {}

    /**
     * Prepares this JVM, which calls this method before the program's main method.
     *
     * @param options none is known: settings are system properties
     * @param instrumentation opens packages of the JDK
     */
    public static void premain(String options, Instrumentation instrumentation) {
        try {
            if (Boolean.toString(false).equals(System.getProperty("pipedevice.enabled"))) {
                return;
            }
            String tooOld = tooOld();
            if (tooOld != null) {
                say(tooOld);
                return;
            }
            if (options != null && !options.isEmpty()) {
                System.err.println("PipeDevice: the agent takes no options and ignores '=" + options
                        + "'; settings are system properties, -Dpipedevice.NAME=VALUE");
            }
            String tooLate = AgentStart.start(instrumentation);
            if (tooLate != null) {
                say(tooLate);
            }
        } catch (Throwable e) {
            say("PipeDevice could not start: " + e);
        }
    }

    /** Why this JVM cannot load PipeDevice's other classes; null if it can. */
    static String tooOld() {
        return javaVersion() < NEEDED_JAVA
                ? "PipeDevice needs Java " + NEEDED_JAVA + " or later, and this is "
                        + System.getProperty("java.version")
                : null;
    }

    /** The feature release: 8 for Java 8, which calls itself 1.8. */
    private static int javaVersion() {
        String version = System.getProperty("java.specification.version");
        return Integer.parseInt(version.startsWith("1.") ? version.substring(2) : version);
    }

    /** Prints to standard error. A log would be initialised before the program could configure it. */
    private static void say(String why) {
        System.err.println(why + ": staying on kernel TCP");
        try {
            report(why);
        } catch (Throwable e) {
            // The user has read the message. A security manager of an older Java may forbid even to read a property.
            return;
        }
    }

    private static void report(String why) throws IOException {
        String report = System.getProperty("pipedevice.report");
        if (report != null) {
            // Java 8 has no method for this: the name of the directory that /proc/self leads to is the process number.
            String pid = new File("/proc/self").getCanonicalFile().getName();
            File file = File.createTempFile("refused-" + pid + "-", ".txt", new File(report));
            try (FileOutputStream out = new FileOutputStream(file)) {
                out.write(why.getBytes(StandardCharsets.UTF_8));
            }
        }
    }
}
