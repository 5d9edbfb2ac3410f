// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.peer;

import io.pipedevice.linux.LinuxException;
import io.pipedevice.linux.ProcessFacts;
import io.pipedevice.linux.UnixSocket;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The rule by which each end of a link judges the other: the same effective user, as the kernel says, and never the one
 * that stands for all users of other user namespaces.
 */
final class SameUser {
    private static final int OVERFLOW_UID = overflowUid();

    private SameUser() {}

    /** Whether a process may be met. */
    static boolean is(UnixSocket.Credentials process) throws LinuxException {
        return isSame(process.uid(), ProcessFacts.effectiveUid());
    }

    static boolean isSame(int uid, int own) {
        return uid == own && uid != OVERFLOW_UID && uid != UnixSocket.Credentials.UNMAPPED_UID;
    }

    private static int overflowUid() {
        try {
            return Integer.parseInt(
                    Files.readString(Path.of("/proc/sys/kernel/overflowuid")).strip());
        } catch (IOException | NumberFormatException e) {
            return UnixSocket.Credentials.UNMAPPED_UID;
        }
    }
}
