// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import io.pipedevice.jdk.Foreign;
import java.io.IOException;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** The names of users, which the C library finds in /etc/passwd or in a directory service. */
public final class UserNames {
    private static final CFunction GETPWNAM_R = CFunction.of("getpwnam_r");

    /** struct passwd: the pointers to name and password, then the number; longer than in any C library. */
    private static final int PASSWD_LENGTH = 128;

    private static final int UID_OFFSET = 16;
    private static final int BUFFER_LENGTH = 64 << 10;
    private static final int RESULT_OFFSET = PASSWD_LENGTH;
    private static final int BUFFER_OFFSET = RESULT_OFFSET + Long.BYTES;

    private UserNames() {}

    /**
     * Finds a user, getpwnam_r(3). May wait for a directory service.
     *
     * @param name of the user
     * @return its number, unsigned
     * @throws IOException if there is none, or the C library cannot tell
     */
    public static int number(String name) throws IOException {
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment word = Foreign.string(arena, name);
            MemorySegment memory = arena.allocate(BUFFER_OFFSET + BUFFER_LENGTH, Long.BYTES);
            long base = memory.address();
            int error = GETPWNAM_R.toInt(
                    word, memory, word.address(), base, base + BUFFER_OFFSET, BUFFER_LENGTH, base + RESULT_OFFSET);
            if (error != 0) {
                throw new LinuxException("getpwnam_r", Math.abs(error));
            }
            if (memory.get(Native.LONG, RESULT_OFFSET) == 0) {
                throw new IOException("there is no user " + name);
            }
            return memory.get(Native.INT, UID_OFFSET);
        }
    }
}
