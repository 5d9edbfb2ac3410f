// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.linux;

import io.pipedevice.jdk.Foreign;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;

/** The offsets in struct statx and struct statfs, which are the same on x86-64 and aarch64, and constants of libc. */
final class StatLayout {
    static final ValueLayout.OfShort SHORT = ValueLayout.JAVA_SHORT;
    static final long STX_BLKSIZE = 4;
    static final long STX_UID = 20;
    static final long STX_MODE = 28;
    static final long STX_INO = 32;
    static final long STX_SIZE = 40;
    static final long STX_BLOCKS = 48;
    static final long F_TYPE = 0;
    static final long F_BSIZE = 8;
    static final MemorySegment EMPTY_PATH = Foreign.string(Arena.global(), "");
    static final int PAGE_SIZE = SystemCalls.pageSize();

    private StatLayout() {}
}
