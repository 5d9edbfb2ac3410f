// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.agent;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import org.junit.jupiter.api.Test;

class AvailabilityPatchTest {
    /** As Netty's class. */
    @SuppressWarnings("StaticAssignmentOfThrowable") // as Netty does
    static final class Transport {
        private static Throwable cause;

        private Transport() {}

        static boolean isAvailable() {
            return cause == null;
        }

        static boolean isAvailable(String feature) {
            return cause == null && feature != null;
        }

        static void ensureAvailability() {
            if (cause != null) {
                throw new UnsatisfiedLinkError(cause.getMessage());
            }
        }

        static Throwable unavailabilityCause() {
            return cause;
        }

        static void fails(Throwable reason) {
            cause = reason;
        }
    }

    /** Has a method of that name that is an object's. */
    static final class OfObject {
        private final boolean available = !Boolean.getBoolean("pipedevice.test.none");

        boolean isAvailable() {
            return available;
        }
    }

    private static final class Loader extends ClassLoader {
        Class<?> define(byte[] bytes) {
            return defineClass(null, bytes, 0, bytes.length);
        }
    }

    private static byte[] read(Class<?> type) throws IOException {
        String name = type.getName();
        try (InputStream in = type.getResourceAsStream(name.substring(name.lastIndexOf('.') + 1) + ".class")) {
            return in.readAllBytes();
        }
    }

    private static Class<?> patched(Class<?> type) throws IOException {
        byte[] changed = AvailabilityPatch.apply(read(type));
        assertNotNull(changed);
        return new Loader().define(changed);
    }

    private static Method method(Class<?> type, String name, Class<?>... parameters) throws NoSuchMethodException {
        Method method = type.getDeclaredMethod(name, parameters);
        method.setAccessible(true);
        return method;
    }

    @Test
    void theTransportSaysThatItIsUnavailable() throws Exception {
        Class<?> changed = patched(Transport.class);
        assertEquals(false, method(changed, "isAvailable").invoke(null));
    }

    @Test
    void otherMethodsStay() throws Exception {
        Class<?> changed = patched(Transport.class);
        assertEquals(true, method(changed, "isAvailable", String.class).invoke(null, "io_uring"));
        method(changed, "ensureAvailability").invoke(null);
    }

    @Test
    void theCauseIsPipeDeviceUnlessThereIsAnother() throws Exception {
        byte[] changed = CausePatch.apply(AvailabilityPatch.apply(read(Transport.class)));
        assertNotNull(changed);
        Class<?> type = new Loader().define(changed);
        Method asks = method(type, "unavailabilityCause");
        Throwable cause = (Throwable) asks.invoke(null);
        assertEquals(UnsupportedOperationException.class, cause.getClass());
        assertTrue(cause.getMessage().contains("-Dpipedevice.netty=off"), cause::toString);
        Throwable other = new IllegalStateException("no library");
        method(type, "fails", Throwable.class).invoke(null, other);
        assertSame(other, asks.invoke(null));
        assertNull(CausePatch.apply(changed));
    }

    @Test
    void aMethodOfAnObjectIsPatchedToo() throws Exception {
        Class<?> changed = patched(OfObject.class);
        var constructor = changed.getDeclaredConstructor();
        constructor.setAccessible(true);
        assertEquals(false, method(changed, "isAvailable").invoke(constructor.newInstance()));
    }

    @Test
    void aPatchedClassAndOneWithoutTheMethodStay() throws Exception {
        assertNull(AvailabilityPatch.apply(AvailabilityPatch.apply(read(Transport.class))));
        assertNull(AvailabilityPatch.apply(read(AvailabilityPatchTest.class)));
    }
}
