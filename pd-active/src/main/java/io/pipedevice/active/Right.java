// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active;

import io.pipedevice.active.protocol.RegionMessage;
import java.util.EnumSet;
import java.util.Set;

/** A kind of access that a process may have to a region, or a function, of another process. */
public enum Right {
    /** Read it. */
    READ(RegionMessage.READ),

    /** Write it. */
    WRITE(RegionMessage.WRITE),

    /** Compare, swap and add eight bytes at once. */
    ATOMIC(RegionMessage.ATOMIC),

    /** Call it: of functions, and not of regions. */
    CALL(RegionMessage.CALL);

    private final int bit;

    Right(int bit) {
        this.bit = bit;
    }

    static int bits(Right... rights) {
        int bits = 0;
        for (Right right : rights) {
            bits |= right.bit;
        }
        return bits;
    }

    static Set<Right> of(int bits) {
        Set<Right> rights = EnumSet.noneOf(Right.class);
        for (Right right : values()) {
            if ((bits & right.bit) != 0) {
                rights.add(right);
            }
        }
        return rights;
    }
}
