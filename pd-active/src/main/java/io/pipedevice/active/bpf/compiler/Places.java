// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.compiler;

import io.pipedevice.active.bpf.verifier.Access;
import java.util.List;
import java.util.Optional;

/**
 * The knowledge of a verifier about the places of accesses to the first parameter, which is the first region. An offset
 * that it has found is used instead of the address. Where a run was continued from a state that another process has
 * saved, the address may be another one; the access is in the same region all the same. Immutable.
 */
final class Places {
    /** Nothing is known. */
    static final Places NONE = new Places(List.of());

    private final List<Optional<Access>> accesses;

    Places(List<Optional<Access>> accesses) {
        this.accesses = accesses;
    }

    /** Whether an instruction accesses the first region. */
    boolean isFirst(int index) {
        if (index >= accesses.size() || accesses.get(index).isEmpty()) {
            return false;
        }
        Access access = accesses.get(index).get();
        return access.kind() == Access.Kind.PARAMETER && access.number() == 0;
    }

    /** The only offset of an instruction in the first region; {@link FrameOffsets#UNKNOWN} if there are more. */
    int offset(int index) {
        if (!isFirst(index)) {
            return FrameOffsets.UNKNOWN;
        }
        Access access = accesses.get(index).orElseThrow();
        boolean isOne = access.least() == access.most() && access.least() == (int) access.least();
        return isOne ? (int) access.least() : FrameOffsets.UNKNOWN;
    }
}
