// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

/** Content that a program may not read. */
enum Unusable implements Value {
    /** Nothing was written. */
    UNSET("unset", "has not been set"),
    /** A number on one path and an address on another one, or addresses of two regions. */
    DIFFERENT("different", "is not the same kind of value on all paths that lead here");

    private final String text;
    private final String problem;

    Unusable(String text, String problem) {
        this.text = text;
        this.problem = problem;
    }

    String problem() {
        return problem;
    }

    @Override
    public String toString() {
        return text;
    }
}
