// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import io.pipedevice.linux.LazyLogger;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;

/**
 * Lets the channels of PipeDevice transfer files in their own way: to a connection on the kernel, as the JDK does to a
 * channel of its own. Runs when the program opens its first channel, so that other programs do not pay for it.
 */
final class FileHook implements Runnable {
    private static final LazyLogger LOG = new LazyLogger("io.pipedevice");

    private final Instrumentation instrumentation;

    FileHook(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    @Override
    public void run() {
        try {
            Class<?> type = Class.forName("sun.nio.ch.FileChannelImpl", false, null);
            byte[] changed = FileChannelPatch.apply(LoadedClass.read(instrumentation, type));
            if (changed != null) {
                instrumentation.redefineClasses(new ClassDefinition(type, changed));
                return;
            }
            say("this JDK, or another agent, has another class");
        } catch (Throwable e) {
            // The program's channel opens in any case.
            say(e.toString());
        }
    }

    private static void say(String why) {
        LOG.get().log(System.Logger.Level.DEBUG, "files are transferred by copies: {0}", why);
    }
}
