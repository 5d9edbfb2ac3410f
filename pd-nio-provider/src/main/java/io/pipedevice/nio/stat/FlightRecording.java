// Copyright 2026 The PipeDevice for Java Authors. SPDX-License-Identifier: Apache-2.0
package io.pipedevice.nio.stat;

import jdk.jfr.FlightRecorder;

/**
 * Tells whether this JVM records events, without loading the class of the event. Also works where the JDK lacks the
 * module.
 */
public final class FlightRecording {
    private static final boolean PRESENT =
            ModuleLayer.boot().findModule("jdk.jfr").isPresent();

    private FlightRecording() {}

    /**
     * Whether this JVM has begun to record events.
     *
     * @return true if there is or was a recording
     */
    public static boolean on() {
        return PRESENT && FlightRecorder.isInitialized();
    }
}
