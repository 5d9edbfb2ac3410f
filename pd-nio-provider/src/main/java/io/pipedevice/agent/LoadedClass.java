// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;

/**
 * Reads the class file of a loaded class. The JVM gives it to a transformer, which only reads it: to read it from the
 * JDK's image takes longer. The changed class file then becomes the one from which later changes of other agents begin.
 */
final class LoadedClass implements ClassFileTransformer {
    private final String name;
    private byte[] current;

    private LoadedClass(Class<?> type) {
        name = type.getName().replace('.', '/');
    }

    /** The class file; empty if the JVM has given none. */
    static byte[] read(Instrumentation instrumentation, Class<?> type) throws UnmodifiableClassException {
        LoadedClass read = new LoadedClass(type);
        instrumentation.addTransformer(read, true);
        try {
            instrumentation.retransformClasses(type);
        } finally {
            // A transformer that stays would see, and delay, each class that is loaded.
            instrumentation.removeTransformer(read);
        }
        return read.current == null ? new byte[0] : read.current;
    }

    @Override
    public byte[] transform(
            Module module, ClassLoader loader, String type, Class<?> old, ProtectionDomain domain, byte[] bytes) {
        if (name.equals(type)) {
            current = bytes;
        }
        return null;
    }
}
