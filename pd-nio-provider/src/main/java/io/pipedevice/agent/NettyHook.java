// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import io.pipedevice.linux.LazyLogger;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.util.function.Predicate;

/**
 * Makes a class of Netty tell the program that its native transport is unavailable, so that the program uses java.nio.
 * Thread safe: each thread that initialises such a class calls it.
 */
final class NettyHook implements Predicate<String> {
    private static final LazyLogger LOG = new LazyLogger("io.pipedevice");

    private final Instrumentation instrumentation;

    NettyHook(Instrumentation instrumentation) {
        this.instrumentation = instrumentation;
    }

    /**
     * Changes a class, of any class loader.
     *
     * @param name of the class, which is being initialised
     * @return whether one was changed
     */
    @Override
    public synchronized boolean test(String name) {
        boolean changed = false;
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            if (loaded.getName().equals(name)) {
                changed |= change(loaded);
            }
        }
        return changed;
    }

    private boolean change(Class<?> type) {
        try {
            byte[] answers = AvailabilityPatch.apply(LoadedClass.read(instrumentation, type));
            if (answers != null) {
                byte[] explains = CausePatch.apply(answers);
                instrumentation.redefineClasses(new ClassDefinition(type, explains == null ? answers : explains));
                LOG.get().log(System.Logger.Level.DEBUG, "{0} says that its transport is unavailable", type.getName());
                return true;
            }
        } catch (Throwable e) {
            // The program's connections work, by Netty's transport.
            LOG.get().log(System.Logger.Level.DEBUG, "{0} stays as it is: {1}", type.getName(), e.toString());
        }
        return false;
    }
}
