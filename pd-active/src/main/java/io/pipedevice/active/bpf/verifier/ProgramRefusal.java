// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf.verifier;

/** The reason why a program is refused, before its place is known. */
final class ProgramRefusal extends Exception {
    private static final long serialVersionUID = 1;

    ProgramRefusal(String message) {
        super(message, null, false, false);
    }
}
