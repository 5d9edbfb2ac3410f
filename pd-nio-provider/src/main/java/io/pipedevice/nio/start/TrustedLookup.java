// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.start;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;

/**
 * Opens packages through the lookup that has access to everything, which sun.misc.Unsafe can read. The JDK prints a
 * warning of its own, and refuses under {@code --sun-misc-unsafe-memory-access=deny}.
 *
 * <p>Unsafe is called by reflection because its module may be missing, and because javac warns of it in a way that
 * cannot be suppressed.
 */
final class TrustedLookup {
    private static final MethodType NOTHING = MethodType.methodType(void.class);

    private TrustedLookup() {}

    /** Opens the packages that this module needs, and allows it native access. */
    static void open() throws Throwable {
        MethodHandles.Lookup lookup = find();
        MethodType export = MethodType.methodType(void.class, String.class, Module.class);
        MethodHandle exports = lookup.findVirtual(Module.class, "implAddExports", export);
        for (String name : JdkPackages.NEEDED) {
            exports.invoke(JdkPackages.BASE, name, JdkPackages.OWN);
        }
        if (JdkPackages.OWN.isNamed()) {
            MethodType self = MethodType.methodType(Module.class);
            lookup.findVirtual(Module.class, "implAddEnableNativeAccess", self).invoke(JdkPackages.OWN);
        } else {
            lookup.findStatic(Module.class, "implAddEnableNativeAccessToAllUnnamed", NOTHING)
                    .invoke();
        }
    }

    private static MethodHandles.Lookup find() throws ReflectiveOperationException {
        Class<?> type = Class.forName("sun.misc.Unsafe");
        Field singleton = type.getDeclaredField("theUnsafe");
        singleton.setAccessible(true);
        Object unsafe = singleton.get(null);
        Field trusted = MethodHandles.Lookup.class.getDeclaredField("IMPL_LOOKUP");
        Method base = type.getMethod("staticFieldBase", Field.class);
        Method offset = type.getMethod("staticFieldOffset", Field.class);
        Method read = type.getMethod("getObject", Object.class, long.class);
        return (MethodHandles.Lookup) read.invoke(unsafe, base.invoke(unsafe, trusted), offset.invoke(unsafe, trusted));
    }
}
