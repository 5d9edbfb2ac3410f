// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.program;

import java.io.IOException;
import java.io.InputStream;

/**
 * Starts {@link EchoProgram} as the launcher of a jar with nested jars does: in a class loader of its own, which is
 * also the thread's context class loader.
 */
public final class NestedProgram {
    private NestedProgram() {}

    public static void main(String[] args) throws ReflectiveOperationException {
        ClassLoader nested = new Nested(NestedProgram.class.getClassLoader());
        Thread.currentThread().setContextClassLoader(nested);
        nested.loadClass("io.pipedevice.program.EchoProgram")
                .getMethod("main", String[].class)
                .invoke(null, (Object) args);
    }

    /** Finds classes as resources under nested/. */
    private static final class Nested extends ClassLoader {
        Nested(ClassLoader parent) {
            super("nested", parent);
        }

        @Override
        protected Class<?> findClass(String name) throws ClassNotFoundException {
            try (InputStream in = getResourceAsStream("nested/" + name.replace('.', '/') + ".class")) {
                if (in == null) {
                    throw new ClassNotFoundException(name);
                }
                byte[] code = in.readAllBytes();
                return defineClass(name, code, 0, code.length);
            } catch (IOException e) {
                throw new ClassNotFoundException(name, e);
            }
        }
    }
}
