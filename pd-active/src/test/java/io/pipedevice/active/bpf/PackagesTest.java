// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.active.bpf;

import io.pipedevice.test.DirectLines;
import io.pipedevice.test.Floors;
import org.junit.jupiter.api.Test;

/** {@link Floors} and {@link DirectLines} of pd-active. */
class PackagesTest {
    @Test
    void aPackageDependsOnlyOnThoseBelowIt() {
        new Floors("io.pipedevice.active")
                .then("io.pipedevice.active.bpf", "io.pipedevice.active.operation", "io.pipedevice.active.protocol")
                .then("io.pipedevice.active.bpf.elf", "io.pipedevice.active.bpf.machine")
                .then("io.pipedevice.active.bpf.interpreter", "io.pipedevice.active.bpf.verifier")
                .then("io.pipedevice.active.bpf.compiler")
                .then("io.pipedevice.active.message")
                .then("io.pipedevice.active.code")
                .then("io.pipedevice.active")
                .check();
    }

    @Test
    void linesThatAnotherProcessCanCauseAreLimited() {
        new DirectLines("io.pipedevice.active").check();
    }
}
