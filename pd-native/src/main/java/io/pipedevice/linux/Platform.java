// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.nio.ByteOrder;

/** Whether this package works on this platform. Check this first: otherwise its other classes fail to initialise. */
public final class Platform {
    /** Symbols of glibc 2.27 and 2.28. A library that has them has all required functions. */
    private static final String[] YOUNGEST_SYMBOLS = {"memfd_create", "statx"};

    private static final String WHY_NOT = probe();

    private Platform() {}

    /**
     * Whether this package works here: Linux on x86-64 or aarch64, a C library with the required functions, and
     * permission to call it.
     *
     * @return false when {@link #whyNot()} has a reason
     */
    public static boolean supported() {
        return WHY_NOT.isEmpty();
    }

    /**
     * Why this package does not work here, and what to do about it.
     *
     * @return one sentence, or an empty string when it works
     */
    public static String whyNot() {
        return WHY_NOT;
    }

    private static String probe() {
        String system = System.getProperty("os.name");
        String processor = System.getProperty("os.arch");
        if (!system.equals("Linux")) {
            return "PipeDevice needs Linux, and this is " + system;
        }
        if ((!processor.equals("amd64") && !processor.equals("aarch64"))
                || ByteOrder.nativeOrder() != ByteOrder.LITTLE_ENDIAN) {
            return "PipeDevice needs an x86-64 or aarch64 processor, and this is " + processor;
        }
        try {
            for (String symbol : YOUNGEST_SYMBOLS) {
                Native.address(symbol);
            }
            // One call is enough to check the permission for all. The other functions are bound when they are needed.
            SystemCalls.effectiveUid();
            return "";
        } catch (ExceptionInInitializerError e) {
            return explain(e.getCause() == null ? e : e.getCause());
        } catch (LinkageError e) {
            return explain(e);
        }
    }

    private static String explain(Throwable e) {
        if (e instanceof IllegalCallerException) {
            Module module = Platform.class.getModule();
            return "PipeDevice may not call the C library; start java with --enable-native-access="
                    + (module.isNamed() ? module.getName() : "ALL-UNNAMED");
        }
        return "PipeDevice cannot call the C library: " + e.getMessage();
    }
}
