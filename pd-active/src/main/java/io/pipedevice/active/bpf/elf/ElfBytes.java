// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.elf;

import io.pipedevice.active.bpf.InvalidProgramException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** The bytes of a file, little-endian; each access is checked. */
final class ElfBytes {
    /** A longer name costs more than any real one. */
    private static final int MAX_NAME = 256;

    private final byte[] bytes;
    private final ByteBuffer buffer;

    ElfBytes(byte[] bytes) {
        this.bytes = bytes;
        this.buffer = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }

    int length() {
        return bytes.length;
    }

    /** Checks that a part is inside of the file, and returns where it begins. */
    int at(long offset, long length, String what) throws InvalidProgramException {
        if (offset < 0 || length < 0 || offset > bytes.length - length) {
            throw new InvalidProgramException(
                    what + " is not inside of the file, which has " + bytes.length + " bytes");
        }
        return (int) offset;
    }

    int u8(long offset, String what) throws InvalidProgramException {
        return buffer.get(at(offset, Byte.BYTES, what)) & 0xff;
    }

    int u16(long offset, String what) throws InvalidProgramException {
        return buffer.getShort(at(offset, Short.BYTES, what)) & 0xffff;
    }

    int i32(long offset, String what) throws InvalidProgramException {
        return buffer.getInt(at(offset, Integer.BYTES, what));
    }

    /** Negative from 2<sup>63</sup> on, which no check of a range lets pass. */
    long i64(long offset, String what) throws InvalidProgramException {
        return buffer.getLong(at(offset, Long.BYTES, what));
    }

    byte[] copy(long offset, long length, String what) throws InvalidProgramException {
        int from = at(offset, length, what);
        return Arrays.copyOfRange(bytes, from, from + (int) length);
    }

    /** The text that begins somewhere in a table of names. */
    String name(ElfSection table, int offset, String what) throws InvalidProgramException {
        long start = Integer.toUnsignedLong(offset);
        int end = (int) Math.min(table.size() - start, MAX_NAME);
        int from = at(table.offset() + start, Math.max(end, 0), what);
        for (int i = 0; i < end; i++) {
            if (bytes[from + i] == 0) {
                return new String(bytes, from, i, StandardCharsets.ISO_8859_1);
            }
        }
        throw new InvalidProgramException(what + " has a name without an end, or of " + MAX_NAME + " bytes or more");
    }
}
