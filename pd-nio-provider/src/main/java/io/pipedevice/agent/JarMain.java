// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

/**
 * The main class of {@code java -jar pipedevice.jar}: hands over to {@link PipeDevice}.
 *
 * <p>This class is compiled for Java 8, as {@link PipeDeviceAgent} is, so that an older JVM can say what is missing.
 */
public final class JarMain {
    private static final int FAILED = 1;

    private JarMain() {}

    /**
     * Runs a command, and ends the process with its exit code.
     *
     * @param args the command's name, its options and its parameters
     */
    public static void main(String[] args) {
        String tooOld = PipeDeviceAgent.tooOld();
        if (tooOld != null) {
            System.err.println("pipedevice: " + tooOld + "; name the java of a newer JDK");
            System.exit(FAILED);
        }
        PipeDevice.main(args);
    }
}
