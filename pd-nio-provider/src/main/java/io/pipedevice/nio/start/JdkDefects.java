// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.start;

import io.pipedevice.jdk.Jdk;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import jdk.internal.misc.Unsafe;

/**
 * Known defects of JDKs that change data, so that they may be taken for PipeDevice's. PipeDevice causes none of them.
 */
public final class JdkDefects {
    private static final int FEATURE = 25;

    /** Objects that native code holds stay where they are from this update on. */
    private static final int PINNED_SINCE = 3;

    /** Where the bytes of an array begin behind a compact header; behind others it is 16 and more. */
    private static final int COMPACT_OFFSET = 12;

    private JdkDefects() {}

    /** The defects of this JVM; empty for most. */
    static List<String> ofThisJvm() {
        // Other JDKs have that constant in another type.
        boolean hasCompactHeaders = Jdk.FEATURE == FEATURE && Unsafe.ARRAY_BYTE_BASE_OFFSET == COMPACT_OFFSET;
        return of(Runtime.version(), hasCompactHeaders, Path.of("/proc/self"));
    }

    /**
     * The defects of a JVM.
     *
     * @param version of its JDK
     * @param hasCompactHeaders whether it uses compact object headers
     * @param process its directory under /proc, if it runs
     * @return a sentence for each
     */
    public static List<String> of(Runtime.Version version, boolean hasCompactHeaders, Path process) {
        if (version.feature() != FEATURE) {
            return List.of();
        }
        List<String> found = new ArrayList<>(2);
        if (version.update() < PINNED_SINCE && usesG1(process)) {
            found.add(
                    "the G1 collector of JDK 25.0.0 to 25.0.2 moves arrays that native code holds (JDK-8377811), so that"
                            + " native libraries may read or write wrong bytes; use JDK 25.0.3 or later");
        }
        if (hasCompactHeaders) {
            found.add("with -XX:+UseCompactObjectHeaders compiled code of JDK 25 may return wrong bytes of strings"
                    + " (JDK-8380060); leave that option out, unless this build of the JDK has the fix");
        }
        return found;
    }

    /**
     * Whether a running JVM's collector is G1, which has threads of that name.
     *
     * @param process its directory under /proc
     * @return false if that cannot be found out
     */
    static boolean usesG1(Path process) {
        try (DirectoryStream<Path> threads = Files.newDirectoryStream(process.resolve("task"))) {
            for (Path each : threads) {
                if (Files.readString(each.resolve("comm")).startsWith("G1 ")) {
                    return true;
                }
            }
            return false;
        } catch (IOException e) {
            return false;
        }
    }
}
