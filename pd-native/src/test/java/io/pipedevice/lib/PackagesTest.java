// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.lib;

import io.pipedevice.test.DirectLines;
import io.pipedevice.test.Floors;
import org.junit.jupiter.api.Test;

/** {@link Floors} and {@link DirectLines} of pd-native. */
class PackagesTest {
    @Test
    void aPackageDependsOnlyOnThoseBelowIt() {
        new Floors("io.pipedevice")
                .then("io.pipedevice.jdk")
                .then("io.pipedevice.linux")
                .then("io.pipedevice.property", "io.pipedevice.queue")
                .then("io.pipedevice.memory", "io.pipedevice.protocol")
                .then("io.pipedevice.lib")
                .then("io.pipedevice.wait")
                .then("io.pipedevice.client", "io.pipedevice.peer.protocol")
                .then("io.pipedevice.peer.ring", "io.pipedevice.peer.wait")
                .then("io.pipedevice.peer.stream")
                .then("io.pipedevice.peer.link")
                .then("io.pipedevice.peer.rendezvous")
                .then("io.pipedevice.peer", "io.pipedevice.broker")
                .apart("io.pipedevice.client", "io.pipedevice.peer")
                .check();
    }

    @Test
    void linesThatAnotherProcessCanCauseAreLimited() {
        new DirectLines("io.pipedevice")
                .because("at the end of a driver or a network of peers", "linux.Disposal")
                .because("a defect of this process", "linux.Fd")
                .check();
    }
}
