// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.contract;

import java.nio.ByteBuffer;

/** The content of the streams of a {@link Game}: each byte is determined by its stream and its position. */
final class Content {
    private static final long ODD = 0x9E37_79B9_7F4A_7C15L;

    private Content() {}

    private static byte at(int stream, long position) {
        return (byte) (((position + stream * 1000L) * ODD) >>> 53);
    }

    static byte[] bytes(int stream, long position, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = at(stream, position + i);
        }
        return bytes;
    }

    /** Fails if the bytes that were put into a buffer are not those of a stream from a position on. */
    static void check(int stream, long position, ByteBuffer filled, int length) {
        for (int i = 0; i < length; i++) {
            if (filled.get(i) != at(stream, position + i)) {
                throw new AssertionError("wrong byte at " + (position + i) + " of stream " + stream);
            }
        }
    }
}
