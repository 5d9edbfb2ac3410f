// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

import java.util.Locale;

/**
 * The address of an offset in a place.
 *
 * @param place the memory
 * @param offset the offset, a signed number; 0 if it may be null
 * @param nullId not 0 if the address may be null instead: pointers with the same number are null together
 */
record Pointer(PointerTarget place, Num offset, int nullId) implements Value {
    /** The number of pointers that may be null, each on its own. */
    static final int ALONE = -1;

    static Pointer to(PointerTarget place, long offset) {
        return new Pointer(place, Num.constant(offset), 0);
    }

    boolean mayBeNull() {
        return nullId != 0;
    }

    /** Whether it leads to the stack frame of a function, by the number of functions that have called it. */
    boolean isToFrame(int depth) {
        return place.kind() == PointerTarget.Kind.STACK && place.index() == depth;
    }

    Pointer withOffset(Num changed) {
        return new Pointer(place, changed, nullId);
    }

    @Override
    public String toString() {
        String suffix = mayBeNull() ? " or null" : "";
        if (place.kind() == PointerTarget.Kind.STACK && offset.isConstant()) {
            return String.format(Locale.ROOT, "%s%+d", place.name(), offset.constant() - place.length());
        }
        String distance = offset.text();
        return place.name() + (distance.startsWith("-") ? "" : "+") + distance + suffix;
    }
}
