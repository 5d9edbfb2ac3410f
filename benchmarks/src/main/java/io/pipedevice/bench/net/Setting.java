// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.bench.net;

import java.util.List;

/** How the JVMs are started, whatever the transport: the flags of both are the same. */
enum Setting {
    /** As a user starts them. */
    DEFAULT,

    /** No thread may spin; TCP never does. */
    NO_SPIN,

    /** A heap whose pages are allocated from the beginning, so that the heap does not grow. */
    FIXED_HEAP,

    /** As few resources as a JVM can have, for many processes. */
    SMALL;

    List<String> flags() {
        return switch (this) {
            case DEFAULT -> List.of();
            case NO_SPIN -> List.of("-Dpipedevice.spin=never");
            case SMALL -> List.of("-XX:+UseSerialGC", "-Xmx32m", "-XX:TieredStopAtLevel=1");
            case FIXED_HEAP -> List.of("-XX:+UseSerialGC", "-Xms128m", "-Xmx128m", "-XX:+AlwaysPreTouch");
        };
    }
}
