// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.List;

/** How the JVMs are started, whatever the transport: the flags of both are the same. */
enum Setting {
    /** As a user starts them. */
    DEFAULT(List.of()),

    /** Nobody may spin; TCP never does. */
    NO_SPIN(List.of("-Dpipedevice.spin=never")),

    /** A heap whose pages are there from the beginning, so that what grows is not the heap. */
    FIXED_HEAP(List.of("-XX:+UseSerialGC", "-Xms128m", "-Xmx128m", "-XX:+AlwaysPreTouch"));

    private final List<String> flags;

    Setting(List<String> flags) {
        this.flags = flags;
    }

    List<String> flags() {
        return flags;
    }
}
