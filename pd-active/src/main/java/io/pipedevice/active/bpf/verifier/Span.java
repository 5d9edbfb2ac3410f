// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import java.util.Locale;

/**
 * The bytes that an access reaches, which are in their place.
 *
 * @param place the memory
 * @param least the least offset of the first byte
 * @param most the largest offset of the first byte
 * @param length the largest number of bytes
 * @param offset all that is known about the offset of the first byte
 */
record Span(PointerTarget place, long least, long most, long length, Num offset) {
    boolean isExact() {
        return least == most;
    }

    /** The offset behind the last byte. */
    long end() {
        return most + length;
    }

    String name() {
        return place.name();
    }

    boolean isAligned(int alignment) {
        return (offset.bits().max() & (alignment - 1)) == 0;
    }

    /** Refuses a part of a frame in which there are bytes that were not written, or bytes of addresses. */
    void requireNumbers(Frame frame, String what) throws ProgramRefusal {
        if (frame.secret().hasAny((int) least, (int) end())) {
            throw new ProgramRefusal(
                    String.format(Locale.ROOT, "it would %s a part of an address in '%s'", what, name()));
        }
        if (!frame.written().hasAll((int) least, (int) end())) {
            throw new ProgramRefusal(
                    String.format(Locale.ROOT, "it would %s bytes of '%s' that were not written", what, name()));
        }
    }
}
