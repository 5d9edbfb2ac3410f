// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

/** Access to the words of a stack frame, for compiled code, which knows the offsets when it is compiled. */
final class FrameWords {
    private FrameWords() {}

    /** Loads 1, 2, 4 or 8 bytes, zero-extended. */
    static long load(long[] words, int offset, int length) {
        int shift = (offset & 7) * Byte.SIZE;
        int index = offset >>> 3;
        long value = words[index] >>> shift;
        if ((offset & 7) + length > Long.BYTES) {
            value |= words[index + 1] << (Long.SIZE - shift);
        }
        return value & mask(length);
    }

    /** Stores the low 1, 2, 4 or 8 bytes of a value. */
    static void store(long[] words, int offset, int length, long value) {
        int shift = (offset & 7) * Byte.SIZE;
        int index = offset >>> 3;
        long mask = mask(length);
        words[index] = (words[index] & ~(mask << shift)) | ((value & mask) << shift);
        if ((offset & 7) + length > Long.BYTES) {
            int rest = Long.SIZE - shift;
            words[index + 1] = (words[index + 1] & ~(mask >>> rest)) | ((value & mask) >>> rest);
        }
    }

    private static long mask(int length) {
        return -1L >>> (Long.SIZE - length * Byte.SIZE);
    }
}
