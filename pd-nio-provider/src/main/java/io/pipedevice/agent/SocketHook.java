// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.security.ProtectionDomain;

/** Makes java.net create its sockets by PipeDevice. Belongs to the thread that starts the agent. */
final class SocketHook implements ClassFileTransformer {
    private static final String CLASS = "java/net/SocketImpl";

    private boolean patched;

    private SocketHook() {}

    /**
     * Patches the JDK.
     *
     * @return whether that was possible; if not, nothing has changed
     */
    static boolean install(Instrumentation instrumentation) {
        SocketHook hook = new SocketHook();
        instrumentation.addTransformer(hook, true);
        try {
            instrumentation.retransformClasses(Class.forName(CLASS.replace('/', '.'), false, null));
            return hook.patched;
        } catch (ClassNotFoundException | UnmodifiableClassException | LinkageError | UnsupportedOperationException e) {
            return false;
        } finally {
            // A transformer that stays would see, and delay, each class that is loaded.
            instrumentation.removeTransformer(hook);
        }
    }

    @Override
    public byte[] transform(
            Module module, ClassLoader loader, String name, Class<?> old, ProtectionDomain domain, byte[] bytes) {
        if (!CLASS.equals(name)) {
            return null;
        }
        byte[] changed = SocketImplPatch.apply(bytes);
        patched = changed != null;
        return changed;
    }
}
