// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.regret;

/** Which of the two programs of a comparison have the flag: the one that is measured, and its peer. */
enum Variant {
    /** None of them, with which the others are compared. */
    WITHOUT(false, false),

    /** The measured program alone, so that its connections stay on the kernel. */
    KERNEL(true, false),

    /** Both, so that their connections are on rings. */
    RINGS(true, true);

    private final boolean inProgram;
    private final boolean inPeer;

    Variant(boolean inProgram, boolean inPeer) {
        this.inProgram = inProgram;
        this.inPeer = inPeer;
    }

    boolean isInProgram() {
        return inProgram;
    }

    boolean isInPeer() {
        return inPeer;
    }
}
