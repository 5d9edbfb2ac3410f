// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.stat;

import jdk.jfr.FlightRecorder;

/** Whether this JVM records events: asked without loading what records them, and where the JDK has no such module. */
final class FlightRecording {
    private static final boolean PRESENT =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightRecording() {}

    static boolean on() {
        return PRESENT && FlightRecorder.isInitialized();
    }
}
