// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Compares user numbers that the kernel reports. The overflow uid, user_namespaces(7), stands for all users that the
 * user namespace of this process does not map. So two processes with that number need not belong to the same user.
 */
public final class UserIds {
    /** The overflow uid of a kernel whose administrator has not changed it. */
    static final int DEFAULT_OVERFLOW_UID = 65534;

    private static final int OVERFLOW_UID = overflowUid(Path.of("/proc/sys/kernel/overflowuid"));

    private UserIds() {}

    /**
     * Whether a number identifies one user.
     *
     * @param uid as the kernel reports it
     * @return false for the overflow uid of this kernel, and for the default one, which the kernel may have reported
     *     before
     */
    public static boolean isKnown(int uid) {
        return isKnown(uid, OVERFLOW_UID);
    }

    /**
     * Whether two numbers identify the same user.
     *
     * @param first as the kernel reports it
     * @param second likewise
     * @return false also if both are an overflow uid
     */
    public static boolean isSame(int first, int second) {
        return isSame(first, second, OVERFLOW_UID);
    }

    static boolean isKnown(int uid, int overflowUid) {
        return uid != overflowUid && uid != DEFAULT_OVERFLOW_UID;
    }

    static boolean isSame(int first, int second, int overflowUid) {
        return first == second && isKnown(first, overflowUid);
    }

    /** The number in a file; the default if the file cannot be read, for example in a sandbox without /proc/sys. */
    static int overflowUid(Path file) {
        try {
            return Integer.parseUnsignedInt(Files.readString(file).strip());
        } catch (IOException | NumberFormatException e) {
            return DEFAULT_OVERFLOW_UID;
        }
    }
}
