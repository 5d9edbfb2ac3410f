// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import java.lang.reflect.InvocationTargetException;

/**
 * The main class of {@code java -jar pipedevice.jar}: runs the command line. {@code pipedevice-agent.jar} has this
 * class too, but no commands, and then says which jar has them.
 *
 * <p>This class is compiled for Java 8, as {@link PipeDeviceAgent} is, so that an older JVM can say what is missing.
 */
public final class JarMain {
    /** Named by a string, because the agent's jar does not have it. */
    private static final String COMMANDS = "io.pipedevice.tool.PipeDeviceCommand";

    private static final int FAILED = 1;

    private JarMain() {}

    /**
     * Runs a command, and ends the process with its exit code.
     *
     * @param args the command's name, its options and its parameters
     * @throws Throwable a failure of the command line itself; a command that fails ends the process
     */
    public static void main(String[] args) throws Throwable {
        String tooOld = PipeDeviceAgent.tooOld();
        if (tooOld != null) {
            fail(tooOld + "; name the java of a newer JDK");
        }
        Class<?> commands;
        try {
            commands = Class.forName(COMMANDS);
        } catch (ClassNotFoundException e) {
            fail("this jar is the agent (-javaagent:pipedevice-agent.jar); the commands are in pipedevice.jar");
            return;
        }
        try {
            commands.getMethod("main", String[].class).invoke(null, (Object) args);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    private static void fail(String why) {
        System.err.println("pipedevice: " + why);
        System.exit(FAILED);
    }
}
