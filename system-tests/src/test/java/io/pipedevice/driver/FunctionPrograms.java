// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.driver;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Functions in eBPF, of messages of 32 bytes and one region. */
enum FunctionPrograms {
    /** Adds the first word of the message to the word of the region at the second word; returns the value before. */
    ADD(savedMessage() + word(0xb7, 1, 0, 0, 0) + loadWord(2, 6, 8) + loadWord(3, 6, 0) + call(6) + exit()),

    /** Reads eight bytes of the region at the second word into the third word; returns the first word and one. */
    READ(savedMessage()
            + word(0xb7, 1, 0, 0, 0)
            + loadWord(2, 6, 8)
            + word(0xbf, 3, 6, 0, 0)
            + word(0x07, 3, 0, 0, 16)
            + word(0xb7, 4, 0, 0, 8)
            + call(1)
            + loadWord(0, 6, 0)
            + word(0x07, 0, 0, 0, 1)
            + exit()),

    /**
     * Adds one to the word of the region at the second word, as often as the first word says; returns the last value.
     */
    COUNT(savedMessage()
            + word(0xb7, 0, 0, 0, 0)
            + loadWord(7, 6, 0)
            + word(0x15, 7, 0, 6, 0)
            + word(0x07, 7, 0, 0, -1)
            + word(0xb7, 1, 0, 0, 0)
            + loadWord(2, 6, 8)
            + word(0xb7, 3, 0, 0, 1)
            + call(6)
            + word(0x05, 0, 0, -7, 0)
            + exit()),

    /** Never ends. */
    SPIN(word(0xb7, 0, 0, 0, 0) + word(0x07, 0, 0, 0, 1) + word(0x05, 0, 0, -2, 0) + exit()),

    /** Reads behind its message. */
    UNSAFE(loadWord(0, 1, 1000) + exit());

    /** Bytes of their messages. */
    static final int MESSAGE = 32;

    private final String code;

    FunctionPrograms(String code) {
        this.code = code;
    }

    /** The instructions. */
    byte[] bytes() {
        return bytes(code);
    }

    /** The instructions of a text of {@link #word}s. */
    static byte[] bytes(CharSequence code) {
        byte[] bytes = new byte[code.length()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = (byte) code.charAt(i);
        }
        return bytes;
    }

    private static String savedMessage() {
        return word(0xbf, 6, 1, 0, 0);
    }

    private static String loadWord(int to, int base, int offset) {
        return word(0x79, to, base, offset, 0);
    }

    private static String call(int helper) {
        return word(0x85, 0, 0, 0, helper);
    }

    private static String exit() {
        return word(0x95, 0, 0, 0, 0);
    }

    /** One slot, a character for each byte. */
    static String word(int opcode, int dst, int src, int offset, int immediate) {
        ByteBuffer slot = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        slot.put((byte) opcode)
                .put((byte) (src << 4 | dst))
                .putShort((short) offset)
                .putInt(immediate);
        StringBuilder text = new StringBuilder();
        for (byte each : slot.array()) {
            text.append((char) Byte.toUnsignedInt(each));
        }
        return text.toString();
    }
}
